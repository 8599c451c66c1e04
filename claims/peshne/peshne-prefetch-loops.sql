-- Which worker gets which index sets, in four kinds of parallel loop.
WITH deal AS (
    SELECT variant, loop_case, worker, workers, max(iterations) AS iterations, max(valid_iterations) AS valid,
           max(looked_at) AS looked_at, max(useful_blocks) AS useful, sum(errors) AS errors
    FROM prefetch_loops GROUP BY variant, loop_case, worker, workers),
loop AS (
    SELECT variant, loop_case, workers, max(iterations) AS most, min(iterations) AS least, sum(iterations) AS visited,
           max(valid) AS valid, max(looked_at) AS looked_at, max(useful) AS useful, sum(errors) AS errors
    FROM deal GROUP BY variant, loop_case, workers)
SELECT 'peshne-c-014' AS id, printf('%d of %d valid sets on one of %d workers', most, valid, workers) AS measured,
       'all on one worker' AS bound, most = valid AND workers > 1 AND errors = 0 AS ok, '' AS reason
FROM loop WHERE variant = 'static' AND loop_case = 'stride'
UNION ALL
SELECT 'peshne-c-015',
       printf('most - least sets of a worker %d in %d loops (static: up to %d)', max(most - least), count(*),
              (SELECT max(most - least) FROM loop WHERE variant = 'static')),
       'at most 1', max(most - least) <= 1 AND sum(visited) = sum(valid) AND sum(errors) = 0, ''
FROM loop WHERE variant = 'balanced' HAVING count(*) > 0
UNION ALL
SELECT 'peshne-c-016',
       printf('%d sets visited, %d blocks exist; a worker looks at %d of %d sets', visited, useful, looked_at,
              (SELECT valid FROM loop WHERE variant = 'fragmented' AND loop_case = 'all')),
       'exactly the blocks that exist', visited = useful AND looked_at = useful AND errors = 0, ''
FROM loop WHERE variant = 'fragmented' AND loop_case = 'sparse';
