-- Which worker gets which index sets, in four kinds of parallel loop. Errors of the run count as sets.
WITH deal AS (
    SELECT variant, loop_case, worker, workers, max(iterations) AS iterations, max(valid_iterations) AS valid,
           max(looked_at) AS looked_at, max(useful_blocks) AS useful, sum(errors) AS errors
    FROM prefetch_loops GROUP BY variant, loop_case, worker, workers),
loop AS (
    SELECT variant, loop_case, workers, max(iterations) AS most, min(iterations) AS least, sum(iterations) AS visited,
           max(valid) AS valid, max(looked_at) AS looked_at, max(useful) AS useful, sum(errors) AS errors
    FROM deal GROUP BY variant, loop_case, workers)
SELECT 'peshne-c-014/share' AS id, 1.0 * most / valid AS value, NULL AS low, NULL AS high,
       printf('of %d valid sets on one of %d workers', valid, workers) AS words
FROM loop WHERE variant = 'static' AND loop_case = 'stride' AND workers > 1
UNION ALL
SELECT 'peshne-c-014/errors', errors, NULL, NULL, 'errors'
FROM loop WHERE variant = 'static' AND loop_case = 'stride' AND workers > 1
UNION ALL
SELECT 'peshne-c-015/spread', most - least, NULL, NULL, 'sets more on one worker than on another, ' || loop_case
FROM loop WHERE variant = 'balanced'
UNION ALL
SELECT 'peshne-c-015/wrong', abs(visited - valid) + errors, NULL, NULL, 'sets too many or too few, ' || loop_case
FROM loop WHERE variant = 'balanced'
UNION ALL
SELECT 'peshne-c-016', abs(visited - useful) + abs(looked_at - useful) + errors, NULL, NULL,
       printf('sets looked at beside the %d blocks that exist, or left out', useful)
FROM loop WHERE variant = 'fragmented' AND loop_case = 'sparse';

-- The list of index sets as a bounded buffer. Each GET line gets the loop's sets in order, from the one after the
-- current set on, whatever the other line does.
WITH list AS (SELECT * FROM prefetch_index_list_median),
failed AS (SELECT sum(errors) AS failures FROM prefetch_index_list),
visited AS (SELECT row_number() OVER (ORDER BY step) AS n, "set" AS value FROM list WHERE event = 'update'),
peeked AS (
    SELECT list_length - length_before AS grown,
           position = front + length_before - 1 AND position + 1 < (SELECT count(*) FROM visited) AS may_grow
    FROM list WHERE event = 'peek'),
-- What a GET left behind, in each iteration in which it prefetched.
filled AS (
    SELECT line, front, max(outstanding) AS outstanding, max(configured) AS configured
    FROM list WHERE event = 'prefetch' GROUP BY line, front),
got AS (
    SELECT line, row_number() OVER (PARTITION BY line ORDER BY step) AS n, "set" AS value FROM list
    WHERE event = 'prefetch')
SELECT 'peshne-c-017/change' AS id, list_length - length_before AS value, NULL AS low, NULL AS high,
       printf('sets by an update, step %d', step) AS words
FROM list WHERE event = 'update'
UNION ALL
SELECT 'peshne-c-017/errors', failures, NULL, NULL, 'errors' FROM failed WHERE failures >= 0
UNION ALL
SELECT 'peshne-c-018', sum(grown <> may_grow), NULL, NULL,
       printf('of %d peeks grew the list without need, or not in need', count(*))
FROM peeked HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-019/wrong', sum(outstanding <> configured) + (SELECT sum(value <> n) FROM visited), NULL, NULL,
       printf('of %d cases not as configured, and sets visited out of order', count(*)) FROM filled HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-019/lines', count(DISTINCT line), NULL, NULL, 'GET lines' FROM filled HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-019/distances', count(DISTINCT configured), NULL, NULL, 'numbers of blocks' FROM filled
HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-020', sum(coalesce(got.value <> visited.value, 1)) + failures
           + abs(count(*) - count(DISTINCT line) * ((SELECT count(*) FROM visited) - 1)), NULL, NULL,
       printf('of %d sets missing or not in the loop''s order, %d lines', count(*), count(DISTINCT line))
FROM failed, got LEFT JOIN visited ON visited.n = got.n + 1 HAVING count(*) > 0;
