-- The list of index sets as a bounded buffer.
WITH list AS (SELECT * FROM prefetch_index_list_median),
visited AS (SELECT row_number() OVER (ORDER BY step) AS n, "set" AS value FROM list WHERE event = 'update'),
peeked AS (
    SELECT list_length - length_before AS grown,
           position = front + length_before - 1 AND position + 1 < (SELECT count(*) FROM visited) AS may_grow
    FROM list WHERE event = 'peek'),
filled AS ( -- what a GET left behind, in each iteration in which it prefetched
    SELECT line, front, max(outstanding) AS outstanding, max(configured) AS configured
    FROM list WHERE event = 'prefetch' GROUP BY line, front),
distance AS (
    SELECT line, group_concat(DISTINCT CAST(configured AS INTEGER)) AS configured FROM filled GROUP BY line)
SELECT 'peshne-c-017' AS id,
       printf('%d of %d updates', sum(list_length - length_before = -1), count(*)) AS measured,
       'each removes 1 set' AS bound,
       sum(list_length - length_before = -1) = count(*) AND (SELECT sum(errors) FROM prefetch_index_list) = 0 AS ok,
       '' AS reason
FROM list WHERE event = 'update' HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-018',
       printf('%d of %d peeks grew the list by 1, %d of them without need', sum(grown = 1), count(*),
              sum(grown = 1 AND NOT may_grow)),
       'by 0, or by 1 at the last entry if there is more', sum(grown = may_grow) = count(*), ''
FROM peeked HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-019',
       printf('as configured in %d of %d cases (%s); sets visited out of order: %d', sum(outstanding = configured),
              count(*), (SELECT group_concat(printf('line %d: %s', line, configured), '; ') FROM distance),
              (SELECT sum(value <> n) FROM visited)),
       'outstanding = configured for each line; order unchanged',
       sum(outstanding = configured) = count(*) AND count(DISTINCT line) > 1 AND count(DISTINCT configured) > 1
           AND (SELECT sum(value <> n) FROM visited) = 0, ''
FROM filled HAVING count(*) > 0;
