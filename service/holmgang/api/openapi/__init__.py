"""The API document and the reference page that is made of it."""

from . import routes as routes  # declares the operation that gives the document
