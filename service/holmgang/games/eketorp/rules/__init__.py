"""The rules of Eketorp: values and functions, nothing else."""
