-- Allocation and release of all blocks of a program: total time in ms, measured and published
SELECT program,
       round(1e3 * max(time_s) FILTER (WHERE variant = 'uncached'), 3) AS "not cached", round(1e3 * pinned_uncached_s, 3) AS "not cached, thesis",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'thesis'), 3) AS "Algorithm 5.4", round(1e3 * pinned_cached_s, 3) AS "Algorithm 5.4, thesis",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'cache'), 3) AS "cache",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'unpinned'), 3) AS "unpinned", round(1e3 * unpinned_s, 3) AS "unpinned, thesis"
FROM peshne_tab_6_9 p LEFT JOIN pinning_cache_median ON trace = program AND size_factor = 1
GROUP BY p.rowid;
