"""The command `holmgang`: each command is a module of `service.cli.commands`."""
