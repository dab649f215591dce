"""What an operation is: its declaration, its gate, how its input is read and its answer written."""
