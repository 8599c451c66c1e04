-- Each GET line gets the loop's sets in order, from the one after the current set on, whatever the other line does.
WITH visited AS (
    SELECT row_number() OVER (ORDER BY step) AS n, "set" AS value
    FROM prefetch_index_list_median WHERE event = 'update'),
got AS (
    SELECT line, row_number() OVER (PARTITION BY line ORDER BY step) AS n, "set" AS value
    FROM prefetch_index_list_median WHERE event = 'prefetch')
SELECT 'peshne-c-020' AS id,
       printf('%d of %d sets in the loop''s order, %d lines, %d iterations', sum(got.value = visited.value), count(*),
              count(DISTINCT line), (SELECT count(*) FROM visited)) AS measured,
       'every line: all sets after the first, in order' AS bound,
       sum(coalesce(got.value = visited.value, 0)) = count(*)
           AND count(*) = count(DISTINCT line) * ((SELECT count(*) FROM visited) - 1)
           AND (SELECT sum(errors) FROM prefetch_index_list) = 0 AS ok,
       '' AS reason
FROM got LEFT JOIN visited ON visited.n = got.n + 1 HAVING count(*) > 0;
