"""What `holmgang` offers to authors of bots, module by module. It needs nothing but httpx."""
