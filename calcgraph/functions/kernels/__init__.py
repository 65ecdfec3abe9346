"""What functions compute: Python kernels, and numpy kernels for arrays."""
