-- The same data as a figure: what caching gains, and what it still costs beside malloc.
WITH trace_time AS (
    SELECT trace, max(CASE variant WHEN 'uncached' THEN time_s END) AS uncached,
           max(CASE variant WHEN 'thesis' THEN time_s END) AS cached,
           max(CASE variant WHEN 'unpinned' THEN time_s END) AS unpinned,
           max(CASE variant WHEN 'uncached' THEN time_low_s END) AS uncached_low,
           max(CASE variant WHEN 'thesis' THEN time_high_s END) AS cached_high
    FROM pinning_cache_median
    WHERE size_factor = 1 AND trace IN (SELECT program FROM peshne_tab_6_9) GROUP BY trace)
SELECT 'peshne-c-099' AS id, printf('median uncached / cached %.1f', median(uncached / cached)) AS measured,
       '>= 5 (thesis: almost 10)' AS bound, median(uncached / cached) >= 5 AS ok, 'synthetic traces' AS reason
FROM trace_time HAVING count(uncached + cached) > 0
UNION ALL
SELECT 'peshne-c-100', printf('median cached / malloc %.2f (%.2f to %.2f)', median(cached / unpinned),
                              min(cached / unpinned), max(cached / unpinned)),
       '>= 1 (thesis: 10 to about 100)', median(cached / unpinned) >= 1, 'synthetic traces'
FROM trace_time HAVING count(cached + unpinned) > 0
UNION ALL
SELECT 'peshne-c-101', printf('uncached > cached in %d of %d programs, cached > malloc in %d',
                              sum(uncached_low > cached_high), count(*), sum(cached > unpinned)),
       'uncached > cached in all five',
       CASE WHEN sum(uncached_low > cached_high) = 5 THEN 1 WHEN sum(uncached < cached) > 0 THEN 0 END,
       'synthetic traces'
FROM trace_time WHERE uncached + cached IS NOT NULL HAVING count(*) = 5;
