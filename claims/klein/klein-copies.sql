-- Figures 8 and 9: six elements are written, then read with their neighbours, by one device and by two, of which each
-- needs one of the other.
WITH read AS (SELECT * FROM partition_copies_median WHERE kind = 'foreign'),
two AS (SELECT * FROM read WHERE "case" = 'fig9' AND mode = 'none')
SELECT 'klein-c-115' AS id, max(foreign_reads) AS value, NULL AS low, NULL AS high, 'reads of what another wrote'
    AS words
FROM read WHERE "case" = 'fig8' HAVING count(*) > 0
UNION ALL SELECT 'klein-c-076/devices', count(*), NULL, NULL, '' FROM two HAVING count(*) > 0
UNION ALL SELECT 'klein-c-076/foreign', foreign_reads, NULL, NULL, 'by a device' FROM two
UNION ALL SELECT 'klein-c-076/stale', stale_reads, NULL, NULL, 'by a device' FROM two
UNION ALL SELECT 'klein-c-076/others', count(*), NULL, NULL, 'stale ranges in the other''s block'
FROM partition_copies_median WHERE "case" = 'fig9' AND kind = 'stale' AND mode = 'none'
    AND ("from" = 0 AND end_element <= 3 OR "from" = 1 AND begin >= 3) AND EXISTS (SELECT 1 FROM two);

-- Figure 20: elements that two devices exchange after a step of the five-point stencil on 6 x 6 elements, in whole rows
-- and exactly, without those of the border, which are the first and the last of a row.
WITH range AS (SELECT iif(kind = 'copy', 'exact', 'rows') AS kind, CAST(begin AS INTEGER) AS first,
        CAST(end_element AS INTEGER) - 1 AS last
    FROM partition_copies_median WHERE "case" = 'fig20' AND mode = 'omega' AND kind IN ('copy', 'copy-rows')),
text AS (SELECT kind, min(first) AS first, max(last) AS last, sum(last - first + 1) AS elements,
        sum(last / 6 - (first - 1) / 6 + (last + 1) / 6 - first / 6) AS border FROM range GROUP BY kind),
part(name) AS (VALUES ('first'), ('last'), ('elements'), ('border'))
SELECT 'klein-c-041/' || kind || '-' || name AS id, CASE name WHEN 'first' THEN first WHEN 'last' THEN last
    WHEN 'elements' THEN elements ELSE border END AS value, NULL AS low, NULL AS high, '' AS words FROM text, part;

-- The worked example: 32 x 32 elements, two devices, blocks of 16 x 16. Intervals that the second one reads, against
-- the printed ones; the corners of its 17 rows; rows that both read; neither touches the next one.
WITH read AS (SELECT part, CAST(begin AS INTEGER) AS begin, CAST(end_element AS INTEGER) AS "end"
    FROM partition_copies_median WHERE "case" = 'islpy' AND kind = 'read' AND launch = 0),
second AS (SELECT * FROM read WHERE part = 1),
printed AS (SELECT start_element AS begin, end_element_exclusive AS "end" FROM klein_tab_u2),
corner(element) AS (VALUES (15 * 32), (16 * 32 - 1), (32 * 32 - 32), (32 * 32 - 1))
SELECT 'klein-c-069' AS id, sum((begin, "end") NOT IN printed) + (SELECT count(*) FROM printed
    WHERE (begin, "end") NOT IN
        (SELECT begin, "end" FROM second)) AS value, NULL AS low, NULL AS high,
    printf('of %d intervals are not as printed, or not found', count(*)) AS words FROM second HAVING count(*) > 0
UNION ALL SELECT 'klein-c-070/corners', (SELECT count(*) FROM corner JOIN second ON element BETWEEN begin
    AND "end" - 1), NULL, NULL, 'read' WHERE EXISTS (SELECT 1 FROM second)
UNION ALL SELECT 'klein-c-070/elements', sum("end" - begin), NULL, NULL, 'of the last 17 rows' FROM second
    HAVING count(*) > 0
UNION ALL SELECT 'klein-c-070/first', min(begin), NULL, NULL, '' FROM second HAVING count(*) > 0
UNION ALL SELECT 'klein-c-070/end', max("end"), NULL, NULL, '' FROM second HAVING count(*) > 0
UNION ALL SELECT 'klein-c-114/first-' || part, min(begin) / 32, NULL, NULL, 'row' FROM read GROUP BY part
UNION ALL SELECT 'klein-c-114/last-' || part, (max("end") - 1) / 32, NULL, NULL, 'row' FROM read GROUP BY part
UNION ALL SELECT 'klein-c-071/touching', (SELECT count(*) FROM read AS a JOIN read AS b USING (part)
    WHERE a."end" = b.begin), NULL, NULL, 'intervals begin where another ends' WHERE EXISTS (SELECT 1 FROM second)
UNION ALL SELECT 'klein-c-071/longest', max("end" - begin) / 32.0, NULL, NULL, 'rows in one' FROM second
    HAVING count(*) > 0;

-- What the two devices then exchange: rows.
WITH copied AS (SELECT "from", "to", CAST(begin AS INTEGER) / 32 AS first, (CAST(end_element AS INTEGER) - 1) / 32
    AS last
    FROM partition_copies_median WHERE "case" = 'islpy' AND kind = 'copy' AND mode = 'omega')
SELECT 'klein-c-073/copies' AS id, count(*) AS value, NULL AS low, NULL AS high, '' AS words FROM copied
    HAVING count(*) > 0
UNION ALL SELECT printf('klein-c-073/to-%d', "to"), first, NULL, NULL, 'is the first row' FROM copied
    WHERE "from" <> "to"
UNION ALL SELECT printf('klein-c-073/to-%d', "to"), last, NULL, NULL, 'is the last row' FROM copied
    WHERE "from" <> "to";

-- Figure 10: windows of a mesh that refines. Small, as sets: what the last writers lose, and what the host gets, beside
-- what the last launch wrote and what each device owns. Large, as a program on several devices.
WITH small AS (
    SELECT sum(kind = 'stale' AND mode = 'last-writer') AS lost, sum(kind = 'stale'
        AND mode = 'omega') AS lost_by_element,
        sum(iif(kind = 'gather' AND mode = 'last-writer', end_element - begin, 0)) AS gathered,
        sum(iif(kind = 'gather' AND mode = 'omega', end_element - begin, 0)) AS owned,
        sum(iif(kind = 'write' AND launch = 1, end_element - begin, 0)) AS written
    FROM partition_copies_median WHERE "case" = 'fig10'),
large AS (
    SELECT max(stale_elements) FILTER (WHERE resolution = 'last-writer') AS wrong,
        max(stale_elements) FILTER (WHERE resolution = 'exact') AS wrong_by_element
    FROM partition_variants_median
    WHERE app = 'refine' AND variant = 'partitioned' AND split = 'x' AND options NOT LIKE '%whole%')
SELECT 'klein-c-088/lost' AS id, lost AS value, NULL AS low, NULL AS high, 'stale ranges' AS words FROM small, large
WHERE lost + wrong IS NOT NULL
UNION ALL SELECT 'klein-c-088/gathered', abs(gathered - written), NULL, NULL,
    'elements fetched more or less than the last launch wrote' FROM small, large WHERE lost + wrong IS NOT NULL
UNION ALL SELECT 'klein-c-088/missing', owned - gathered, NULL, NULL, 'elements' FROM small, large
WHERE lost + wrong IS NOT NULL
UNION ALL SELECT 'klein-c-088/wrong', wrong, NULL, NULL, 'elements in the program' FROM small, large
WHERE lost + wrong IS NOT NULL
UNION ALL SELECT 'klein-c-090/ranges', lost_by_element, NULL, NULL, 'stale' FROM small, large
WHERE lost + wrong_by_element IS NOT NULL
UNION ALL SELECT 'klein-c-090/elements', wrong_by_element, NULL, NULL, 'wrong in the program' FROM small, large
WHERE lost + wrong_by_element IS NOT NULL;
