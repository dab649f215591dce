"""The HTTP API: resources as Flask blueprints over the use cases of `holmgang.app`."""
