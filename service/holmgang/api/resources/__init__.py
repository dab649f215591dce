"""The resources of the API, a folder each: routes with what they are sent, examples, schemas that others use too."""
