-- What the analysis writes down: the keys of the thesis's data base, and those of three arguments of the stencil
WITH known AS (
    SELECT rowid AS place, key, explanation,
           CASE key WHEN 'kernel names' THEN 'kernel name' ELSE replace(replace(key, 'argument ', ''), 'arg. ', '') END AS own
    FROM klein_tab_1),
stencil AS (
    SELECT argument, key, replace(replace(replace(value, ' and ', char(10) || 'and '), ' : ', char(10) || ': '), ',launch', ',' || char(10) || 'launch') AS value
    FROM partition_keys WHERE kernel = 'stencil5p' AND source = 'stencil')
SELECT known.key AS "key, thesis", explanation AS "explanation, thesis",
       max(value) FILTER (WHERE argument IN ('-', 'in')) AS "stencil5p: in",
       max(value) FILTER (WHERE argument IN ('-', 'out')) AS "stencil5p: out",
       max(value) FILTER (WHERE argument IN ('-', 'N')) AS "stencil5p: N"
FROM known LEFT JOIN stencil ON stencil.key = own GROUP BY place ORDER BY place;
