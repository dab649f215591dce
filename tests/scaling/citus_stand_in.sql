-- Stands in for Citus where docs/pages/how-to/scale.md distributes the tables: functions of the same names, which refuse what its
-- documentation says that it refuses, and make hash partitions of what it would make shards of.

CREATE TABLE stand_in (name text PRIMARY KEY, kind text NOT NULL, key text, colocated_with text);

-- What a foreign key needs: reference tables may be referred to by all, others by their own keys and from beside them.
CREATE FUNCTION stand_in_check() RETURNS void LANGUAGE plpgsql AS $$
DECLARE fk record; here stand_in; there stand_in;
BEGIN
    FOR fk IN
        SELECT c.conname, c.conrelid::regclass::text AS here, c.confrelid::regclass::text AS there,
            ARRAY(SELECT a.attname::text || ' ' || b.attname FROM unnest(c.conkey, c.confkey) AS k (mine, theirs)
                JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.mine
                JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = k.theirs) AS pairs
        FROM pg_constraint c WHERE c.contype = 'f' AND c.conparentid = 0
    LOOP
        SELECT * INTO here FROM stand_in WHERE name = fk.here;
        SELECT * INTO there FROM stand_in WHERE name = fk.there;
        CONTINUE WHEN there.kind = 'reference' OR here.kind IS NULL AND there.kind IS NULL;
        IF there.kind IS NULL AND here.kind IS NOT NULL THEN
            RAISE EXCEPTION '% refers from a % table to one on the coordinator', fk.conname, here.kind;
        ELSIF here.kind IS DISTINCT FROM 'distributed' THEN
            RAISE EXCEPTION '% refers to a distributed table from one that is none', fk.conname;
        ELSIF here.colocated_with <> there.colocated_with OR NOT here.key || ' ' || there.key = ANY (fk.pairs) THEN
            RAISE EXCEPTION '% does not keep to one shard', fk.conname;
        END IF;
    END LOOP;
END $$;

CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO stand_in VALUES (name, 'reference');
    PERFORM stand_in_check();
END $$;

CREATE FUNCTION create_distributed_table(name text, key text, colocate_with text DEFAULT 'default') RETURNS void
LANGUAGE plpgsql AS $$
DECLARE loose text; fks text[]; statement text;
BEGIN
    SELECT string_agg(i.indexrelid::regclass::text, ', ') INTO loose FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attname = key
        WHERE i.indrelid = name::regclass AND i.indisunique AND NOT a.attnum = ANY (i.indkey::smallint[]);
    IF loose IS NOT NULL THEN
        RAISE EXCEPTION '% must hold the distribution column %', loose, key;
    END IF;
    INSERT INTO stand_in VALUES (name, 'distributed', key, CASE WHEN colocate_with IN ('default', 'none') THEN name
        ELSE (SELECT s.colocated_with FROM stand_in s WHERE s.name = colocate_with) END);
    PERFORM stand_in_check();
    SELECT array_agg(format('ALTER TABLE %I ADD CONSTRAINT %I %s', name, conname, pg_get_constraintdef(oid))) INTO fks
        FROM pg_constraint WHERE contype = 'f' AND conrelid = name::regclass;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', name, name || '_whole');
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) PARTITION BY HASH (%I)', name, name || '_whole', key);
    FOR n IN 0..7 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS 8, REMAINDER %s)',
            name || '_' || n, name, n);
    END LOOP;
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', name, name || '_whole');
    EXECUTE format('DROP TABLE %I', name || '_whole');
    FOREACH statement IN ARRAY coalesce(fks, '{}') LOOP
        EXECUTE statement;
    END LOOP;
END $$;
