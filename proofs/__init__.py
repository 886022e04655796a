"""What proves rather than measures: long runs that fail where a promise does not hold."""
