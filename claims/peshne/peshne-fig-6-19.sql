-- The same data as a figure: what caching gains, and what it still costs beside malloc. Uncached as in table 6-9: each request registers
-- malloc's memory anew, as the cache does when it misses. The traces stand in for the thesis's programs.
WITH block AS (
    SELECT block_elements, sum(time_s) AS mid, sum(time_low_s) AS low, sum(time_high_s) AS high FROM pinning_alloc_median
    WHERE variant = 'registered' AND operation IN ('allocate', 'free') AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6)
    GROUP BY block_elements HAVING count(*) = 2),
registered AS (SELECT median(mid) AS mid, min(low) AS low, max(high) AS high FROM block HAVING count(*) > 0),
trace_time AS (
    SELECT trace, max(requests) * registered.mid AS uncached, max(requests) * registered.low AS uncached_low,
           max(requests) * registered.high AS uncached_high,
           max(CASE variant WHEN 'thesis' THEN time_s END) AS cached,
           max(CASE variant WHEN 'unpinned' THEN time_s END) AS unpinned,
           max(CASE variant WHEN 'thesis' THEN time_low_s END) AS cached_low,
           max(CASE variant WHEN 'thesis' THEN time_high_s END) AS cached_high
    FROM pinning_cache_median, registered
    WHERE size_factor = 1 AND trace IN (SELECT program FROM peshne_tab_6_9) GROUP BY trace)
SELECT 'peshne-c-099' AS id, printf('median uncached / cached %.1f (%.1f to %.1f)', median(uncached / cached), min(uncached / cached),
                                    max(uncached / cached)) AS measured,
       '>= 5 (thesis: almost 10)' AS bound,
       CASE WHEN median(uncached_low / cached_high) >= 5 THEN 1 WHEN median(uncached_high / cached_low) < 5 THEN 0 END AS ok,
       'stand-in traces; uncached: each request registered anew' AS reason
FROM trace_time HAVING count(uncached + cached) > 0
UNION ALL
SELECT 'peshne-c-100', printf('median cached / malloc %.2f (%.2f to %.2f)', median(cached / unpinned),
                              min(cached / unpinned), max(cached / unpinned)),
       '>= 1 (thesis: 10 to about 100)', median(cached / unpinned) >= 1, 'stand-in traces'
FROM trace_time HAVING count(cached + unpinned) > 0
UNION ALL
SELECT 'peshne-c-101', printf('uncached > cached in %d of %d programs, cached > malloc in %d',
                              sum(uncached_low > cached_high), count(*), sum(cached > unpinned)),
       'uncached > cached in all five',
       CASE WHEN sum(uncached_low > cached_high) = 5 THEN 1 WHEN sum(uncached_high <= cached_low) > 0 THEN 0 END,
       'stand-in traces; uncached: each request registered anew'
FROM trace_time WHERE uncached + cached IS NOT NULL HAVING count(*) = 5;
