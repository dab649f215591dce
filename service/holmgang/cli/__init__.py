"""The command `holmgang`: each command is a module of `holmgang.cli.commands`."""
