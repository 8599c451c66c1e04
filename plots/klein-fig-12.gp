load 'style.gp'
load 'partition.gp'
set title 'What the copies between two launches of the stencil depend on'
# As the data base says: place, side (0: the launch before, 1: the launch), name, late (1: known at run time only),
# direct (1: not by way of the elements).
kernel = 'stencil5p'
entities = "(WITH access(side, kind, argument, names) AS (SELECT key = 'read parameter', substr(key, 1, instr(key, ' " \
    . "') - 1), argument, value FROM partition_keys WHERE kernel = '" . kernel . "' AND key IN ('read parameter', " \
    . "'write parameter') AND value <> ''), entity(side, rank, name, late, direct) AS (SELECT side, 0, 'kernel " \
    . "" . kernel . "', 0, 0 FROM access UNION ALL SELECT side, 1, 'argument ' || argument, 0, 0 FROM access UNION " \
    . "ALL SELECT side, 2, 'kind: ' || kind, 0, 0 FROM access UNION ALL SELECT side, 3 + j.key, j.value, 1, 0 FROM " \
    . "access, json_each('[' || char(34) || replace(names, ',', char(34) || ',' || char(34)) || char(34) || ']') AS " \
    . "j UNION ALL SELECT side, 98, 'parts of the grid', 1, 0 FROM access UNION ALL SELECT side, iif(side, -1, 99), " \
    . "'buffer of ' || argument, 1, 1 " . 'FROM access) SELECT row_number() OVER (ORDER BY side, rank) + side AS ' \
    . 'place, * FROM entity)'
middle(where) = number('SELECT avg(place) FROM ' . entities . ' WHERE ' . where)
before = middle('side = 0 AND direct = 0'); after = middle('side = 1 AND direct = 0'); copies = middle('true')
rows(columns, where) = q('SELECT ' . columns . ' FROM ' . entities . ' WHERE ' . where)
@dependency_graph
