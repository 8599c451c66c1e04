-- Time of all allocations and releases of a trace: page-locked anew each time, cached as published, malloc. The cache registers malloc's
-- memory (section 5.3.3), so what it saves is registering: requests times the cost of a registered block and its release in pinning_alloc,
-- which hardly depends on the size up to the 24 KB of table 6-6. The traces stand in for the thesis's programs.
WITH block AS (
    SELECT block_elements, sum(time_s) AS mid, sum(time_low_s) AS low, sum(time_high_s) AS high FROM pinning_alloc_median
    WHERE variant = 'registered' AND operation IN ('allocate', 'free') AND block_elements IN (SELECT block_elements FROM peshne_tab_6_6)
    GROUP BY block_elements HAVING count(*) = 2),
registered AS (SELECT median(mid) AS mid, min(low) AS low, max(high) AS high FROM block HAVING count(*) > 0),
trace_time AS (
    SELECT trace, max(requests) * registered.mid AS uncached, max(requests) * registered.low AS uncached_low,
           max(requests) * registered.high AS uncached_high,
           max(CASE variant WHEN 'uncached' THEN time_s END) AS other,
           max(CASE variant WHEN 'thesis' THEN time_s END) AS cached,
           max(CASE variant WHEN 'unpinned' THEN time_s END) AS unpinned,
           max(CASE variant WHEN 'thesis' THEN time_low_s END) AS cached_low,
           max(CASE variant WHEN 'thesis' THEN time_high_s END) AS cached_high,
           max(CASE variant WHEN 'unpinned' THEN time_low_s END) AS unpinned_low,
           max(CASE variant WHEN 'unpinned' THEN time_high_s END) AS unpinned_high
    FROM pinning_cache_median, registered WHERE size_factor = 1 GROUP BY trace),
claim(id, trace) AS (VALUES
    ('peshne-c-094', 'scf_rhf_coreh'), ('peshne-c-095', 'tran_rhf_no4v'), ('peshne-c-096', 'rccsd_rhf'),
    ('peshne-c-097', 'rccsdpt_aaa'), ('peshne-c-098', 'rccsdpt_aab'))
SELECT id, printf('uncached / cached %.2f, cached / malloc %.2f, uncached / malloc %.1f',
                  uncached / cached, cached / unpinned, uncached / unpinned) AS measured,
       'uncached > cached > malloc' AS bound,
       CASE WHEN uncached_low > cached_high AND cached_low > unpinned_high THEN 1
            WHEN uncached_high <= cached_low OR cached_high <= unpinned_low THEN 0 END AS ok,
       printf('stand-in trace with the same number of requests; uncached: each registered anew; cudaMallocHost anew takes %.2f of cached',
              other / cached) AS reason
FROM claim JOIN trace_time USING (trace) WHERE uncached + cached + unpinned IS NOT NULL;
