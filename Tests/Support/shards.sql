-- What Citus calls distributing a table, done with PostgreSQL's own partitions: a stand-in with the same rules. A key has to contain the column
-- that the table is spread by, and a statement that names its value goes to one partition. Tables that are spread together have their rows of
-- one value in partitions of one number. A partition is named after its table, the table that it is spread with, and its number.

CREATE FUNCTION create_distributed_table(table_name regclass, distribution_column text, colocate_with text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  name text := (SELECT relname FROM pg_class WHERE oid = table_name);
  company text := CASE colocate_with WHEN 'none' THEN name ELSE colocate_with END;
  parts constant int := 8;
  again text[];
  statement text;
BEGIN
  -- All that LIKE does not take along, as the catalogue says it: first the keys, then what refers to others, then the others' references to this.
  SELECT array_agg(format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      ORDER BY confrelid = table_name, array_position('{p,u,c,f}', contype::text))
    INTO again FROM pg_constraint WHERE table_name IN (conrelid, confrelid) AND conparentid = 0;
  SELECT again || coalesce(array_agg(pg_get_indexdef(indexrelid)), '{}') INTO again FROM pg_index
    WHERE indrelid = table_name AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = table_name);
  FOR statement IN SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
    WHERE confrelid = table_name AND conparentid = 0 LOOP EXECUTE statement; END LOOP;
  EXECUTE format('ALTER TABLE %I RENAME TO whole', name);
  EXECUTE format('CREATE TABLE %I (LIKE whole INCLUDING DEFAULTS) PARTITION BY HASH (%I)', name, distribution_column);
  FOR number IN 0..parts - 1 LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
      format('%s__%s_%s', name, company, number), name, parts, number);
  END LOOP;
  EXECUTE format('INSERT INTO %I SELECT * FROM whole', name);
  DROP TABLE whole;
  FOREACH statement IN ARRAY again LOOP EXECUTE statement; END LOOP;
END $$;

-- A table that every server has: here there is one server.
CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS '';
