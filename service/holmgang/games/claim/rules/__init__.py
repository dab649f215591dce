"""The rules of Claim: values and functions, nothing else."""
