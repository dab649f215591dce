"""The API document and the reference page that is made of it."""
