-- Two nodes beside one, by strategy, median over the edges.
WITH ratio AS (
    SELECT variant, edge, b.gflops / a.gflops AS mid FROM spmv_exchange_1_2_median AS a JOIN spmv_exchange_2_1_median AS b USING (variant, edge)
    WHERE edge > 0 AND variant IN ('sg', 'index-standard', 'pinned', 'index-pinned')),
strategy AS (SELECT variant, median(mid) AS mid FROM ratio GROUP BY variant)
SELECT 'fanfarillo-c-074' AS id, group_concat(printf('%s %.3f', variant, mid), ', ') AS measured, '> 1 each' AS bound, 'waived' AS ok,
       'needs InfiniBand between the nodes and GPUs that share a bus within one' AS reason
FROM strategy HAVING count(*) > 0;

-- Rank of index-pinned among the strategies without MPI on device memory. Surely behind is who is slower by the intervals.
WITH run AS (
    SELECT '1-2' AS scenario, variant, edge, time_s AS mid, time_low_s AS low, time_high_s AS high FROM spmv_exchange_1_2_median
    WHERE edge > 0 AND variant IN ('sync', 'sg', 'index-standard', 'pinned', 'index-pinned')
    UNION ALL SELECT '2-1', variant, edge, time_s, time_low_s, time_high_s FROM spmv_exchange_2_1_median
    WHERE edge > 0 AND variant IN ('sync', 'sg', 'index-standard', 'pinned', 'index-pinned')),
rank AS (
    SELECT scenario, edge, 1 + sum(o.mid < i.mid) AS mid, 1 + sum(o.high < i.low) AS least FROM run AS i JOIN run AS o USING (scenario, edge)
    WHERE i.variant = 'index-pinned' AND o.variant <> 'index-pinned' GROUP BY scenario, edge),
place AS (SELECT scenario, median(mid) AS mid, median(least) AS least, sum(mid = 1) AS first, count(*) AS sizes FROM rank GROUP BY scenario)
SELECT 'fanfarillo-c-079' AS id,
       group_concat(printf('scenario %s: median rank %g, first at %d of %d sizes', scenario, mid, first, sizes), '; ') AS measured,
       'median rank 1 in both' AS bound,
       CASE WHEN max(mid) = 1 THEN 1 WHEN max(least) > 1 THEN 0 END AS ok, '' AS reason
FROM place HAVING count(*) = 2;
