"""The rules of Tafl: pure functions over frozen values. See RULES.md."""
