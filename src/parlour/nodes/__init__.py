"""Several servers, called nodes, over one database: each table has one owner, and any node serves anybody."""
