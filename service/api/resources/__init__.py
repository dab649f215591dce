"""The resources of the API, a folder each: routes, schemas, examples."""
