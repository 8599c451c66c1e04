-- Allocation and release of all blocks of SIAL programs run here: hits of the caches, and total time in ms
SELECT program, CAST(max(requests) AS INTEGER) AS requests,
       CAST(max(hits) FILTER (WHERE variant = 'thesis') AS INTEGER) AS "hits, Algorithm 5.4", CAST(max(hits) FILTER (WHERE variant = 'cache') AS INTEGER) AS "hits, cache",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'uncached'), 3) AS "not cached",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'thesis'), 3) AS "Algorithm 5.4",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'cache'), 3) AS "cache",
       round(1e3 * max(time_s) FILTER (WHERE variant = 'unpinned'), 3) AS "unpinned"
FROM prefetch_allocations_median GROUP BY program;
