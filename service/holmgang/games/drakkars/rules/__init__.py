"""The rules of Drakkars: values and functions, nothing else."""
