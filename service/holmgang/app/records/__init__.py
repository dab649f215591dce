"""The records that pass between the application and its ports. Times are aware UTC datetimes from the database."""
