-- Figures 8 and 9: six elements are written, then read with their neighbours.
SELECT 'klein-c-115' AS id, printf('%d foreign reads', max(foreign_reads)) AS measured, '0' AS bound, max(foreign_reads) = 0 AS ok, '' AS reason
FROM partition_copies_median WHERE "case" = 'fig8' AND kind = 'foreign' HAVING count(*) > 0
UNION ALL
SELECT 'klein-c-076', printf('%s foreign reads of the two devices, %s of them stale', (SELECT group_concat(CAST(foreign_reads AS INTEGER), ' and ')
    FROM partition_copies_median WHERE "case" = 'fig9' AND kind = 'foreign' AND mode = 'none'),
       (SELECT group_concat(CAST(stale_reads AS INTEGER), ' and ') FROM partition_copies_median WHERE "case" = 'fig9' AND kind = 'foreign' AND mode = 'none')),
           '1 on each, both of the other''s block',
       count(*) = 2 AND min(foreign_reads = 1 AND stale_reads = 1)
       AND (SELECT count(*) FROM partition_copies_median WHERE "case" = 'fig9' AND kind = 'stale' AND mode = 'none' AND (("from" = 0 AND end_element <= 3)
           OR ("from" = 1 AND begin >= 3))) = 2, ''
FROM partition_copies_median WHERE "case" = 'fig9' AND kind = 'foreign' AND mode = 'none' HAVING count(*) > 0;

-- Figure 20: elements that two devices exchange after a step of the five-point stencil on 6 x 6 elements.
WITH range AS (SELECT kind, CAST(begin AS INTEGER) AS first, CAST(end_element AS INTEGER) - 1 AS last FROM partition_copies_median
    WHERE "case" = 'fig20' AND mode = 'omega' AND kind IN ('copy', 'copy-rows') ORDER BY begin),
text AS (SELECT kind, group_concat(first || '..' || last, ' ') AS ranges, min(first) AS first, max(last) AS last, sum(last - first + 1) AS elements FROM range
    GROUP BY kind)
SELECT 'klein-c-041' AS id, printf('%s in whole rows, %s exactly', r.ranges, e.ranges) AS measured, '12..23 in whole rows, 13..16 and 19..22 exactly' AS bound,
       r.first = 12 AND r.last = 23 AND r.elements = 12 AND e.ranges = '13..16 19..22' AS ok, '' AS reason
FROM text AS r JOIN text AS e WHERE r.kind = 'copy-rows' AND e.kind = 'copy';

-- The worked example: 32 x 32 elements, two devices, blocks of 16 x 16.
WITH reads AS (SELECT part, CAST(begin AS INTEGER) AS begin, CAST(end_element AS INTEGER) AS "end" FROM partition_copies_median WHERE "case" = 'islpy' AND kind = 'read'
    AND launch = 0 ORDER BY part, begin),
printed AS (SELECT start_element AS begin, end_element_exclusive AS "end" FROM klein_tab_u2),
listed AS (
    SELECT group_concat('[' || begin || ',' || "end" || ')', ' ') AS intervals, count(*) AS intervals_here, (SELECT count(*) FROM printed) AS intervals_there,
           sum((begin, "end") IN (SELECT begin, "end" FROM printed)) AS alike, sum("end" - begin) AS elements, max(480 BETWEEN begin AND "end" - 1
               OR 511 BETWEEN begin AND "end" - 1
               OR 992 BETWEEN begin AND "end" - 1 OR 1023 BETWEEN begin AND "end" - 1) AS corners, min(begin) AS first, max("end") AS last
    FROM reads WHERE part = 1)
SELECT 'klein-c-069' AS id, intervals AS measured, '[481,511) [512,992) [993,1023)' AS bound, alike = intervals_there AND intervals_here = intervals_there
    AND intervals_there = 3 AS ok, '' AS reason FROM listed WHERE intervals_here > 0
UNION ALL
SELECT 'klein-c-070', printf('%d of the %d elements of rows 15 to 31, %s', elements, 17 * 32, iif(corners, 'with a corner', 'without corners')),
    'all but elements 480, 511, 992, 1023',
       NOT corners AND elements = 17 * 32 - 4 AND first = 481 AND last = 1023, '' FROM listed WHERE intervals_here > 0
UNION ALL
SELECT 'klein-c-114', (SELECT group_concat('part ' || part || ' reads rows ' || first || ' to ' || last, ', ') FROM (SELECT part, min(begin) / 32 AS first,
    (max("end") - 1) / 32 AS last FROM reads GROUP BY part)),
       'rows 0 to 15 and row 16; rows 16 to 31 and row 15',
       (SELECT sum((part = 0 AND first = 0 AND last = 16) OR (part = 1 AND first = 15 AND last = 31)) FROM (SELECT part, min(begin) / 32 AS first,
           (max("end") - 1) / 32 AS last FROM reads GROUP BY part)) = 2, ''
FROM listed WHERE intervals_here > 0
UNION ALL
SELECT 'klein-c-071', printf('%s: none begins where another ends, and one interval is of %d rows', intervals, (SELECT max("end" - begin) / 32 FROM reads
    WHERE part = 1)), 'intervals that touch are one',
       (SELECT count(*) FROM reads AS a JOIN reads AS b USING (part) WHERE a."end" = b.begin) = 0 AND (SELECT max("end" - begin) FROM reads
           WHERE part = 1) > 32, 'rows of the worked example, not [0,10] and [11,20]'
FROM listed WHERE intervals_here > 0;

WITH copied AS (SELECT "from", "to", CAST(begin AS INTEGER) AS begin, CAST(end_element AS INTEGER) AS "end" FROM partition_copies_median
    WHERE "case" = 'islpy' AND kind = 'copy' AND mode = 'omega' ORDER BY "to")
SELECT 'klein-c-073' AS id, group_concat(printf('%d to %d: [%d,%d), row %d', "from", "to", begin, "end", begin / 32), '; ') AS measured,
    'row 16 to device 0, row 15 to device 1' AS bound,
       count(*) = 2 AND sum("from" = 1 AND "to" = 0 AND begin / 32 = 16 AND ("end" - 1) / 32 = 16) = 1 AND sum("from" = 0 AND "to" = 1 AND begin / 32 = 15
           AND ("end" - 1) / 32 = 15) = 1 AS ok, '' AS reason
FROM copied HAVING count(*) > 0;

-- Figure 10: windows of a mesh that refines. Small, as sets; large, as a program.
WITH small AS (
    SELECT sum(kind = 'stale' AND mode = 'last-writer') AS lost, sum(kind = 'stale' AND mode = 'omega') AS lost_by_element, sum(iif(kind = 'gather'
        AND mode = 'last-writer', end_element - begin, 0)) AS gathered,
           sum(iif(kind = 'gather' AND mode = 'omega', end_element - begin, 0)) AS owned, sum(iif(kind = 'write' AND launch = 1, end_element - begin, 0)) AS written
    FROM partition_copies_median WHERE "case" = 'fig10'),
large AS (
    SELECT max(iif(resolution = 'last-writer', stale_elements, NULL)) AS wrong, max(iif(resolution = 'exact', stale_elements, NULL)) AS wrong_by_element
    FROM partition_variants_median WHERE app = 'refine' AND variant = 'partitioned' AND split = 'x' AND options NOT LIKE '%whole%')
SELECT 'klein-c-088' AS id, printf('%d stale ranges, %d of %d elements fetched (what the last launch wrote: %d); the program on several devices: %d wrong elements',
    lost, gathered, owned, written, wrong) AS measured,
       'stale elements; the host gets those of the last launch' AS bound, lost > 0 AND gathered = written AND gathered < owned AND wrong > 0 AS ok, '' AS reason
           FROM small, large WHERE lost IS NOT NULL AND wrong IS NOT NULL
UNION ALL
SELECT 'klein-c-090', printf('%d stale ranges; the program on several devices: %d wrong elements', lost_by_element, wrong_by_element), '0', lost_by_element = 0
    AND wrong_by_element = 0, ''
FROM small, large WHERE lost IS NOT NULL AND wrong_by_element IS NOT NULL;
