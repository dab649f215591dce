"""What operators and newcomers ask first: an index, health, the document and its pages."""
