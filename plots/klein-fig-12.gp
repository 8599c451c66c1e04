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
unset border; unset tics; unset grid; set yrange [*:*] reverse
do for [i = 0:1] { set label 1 + i "I: elements that the\n" . (i ? 'launch reads' : 'launch before writes') \
    at 2, (i ? after : before) - 0.4 center front textcolor linestyle 35 }
set label 3 "R: copies between\ntheir devices" at 3.5, copies - 0.4 center front textcolor linestyle 35
do for [i = 0:1] { set arrow 1 + i from 2.5, (i ? after : before) to 3.05, copies-0.4+0.8*i linestyle 10 }
node(low, high, y) = q(sprintf('VALUES (%g, %g, %g, %g)', low, high, y - 1.2, y + 1.2))
box = "using (0.5*($1+$2)):(0.5*($3+$4)):1:2:3:4 with boxxyerror " . node_box . " notitle"
lines = "with vectors nohead linestyle 36 notitle"
plot [-0.05:4.05] rows(sprintf('1, place, 0.5, iif(side = 0, %g, %g) - place', before, after), 'direct = 0') @lines, \
     rows(sprintf('1, place, 2.05, %g - place', copies), 'direct') @lines, \
     for [late = 0:1] rows('place', sprintf('late = %d', late)) using (0.5):1:(0):(1):($1-0.4):($1+0.4) \
     with boxxyerror \
         @device_fill(late ? 0 : 2) title late ? 'known at run time' \
         : 'known at compile time', \
     rows('0.5, place, name', 'true') @cell_texts, node(1.5, 2.5, before) @box, node(1.5, 2.5, after) @box, \
     node(3.05, 3.95, copies) @box
