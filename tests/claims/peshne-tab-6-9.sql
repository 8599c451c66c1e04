-- Time of all allocations and releases of a trace: page-locked anew each time, cached as published, malloc.
WITH trace_time AS (
    SELECT trace, max(CASE variant WHEN 'uncached' THEN time_s END) AS uncached,
           max(CASE variant WHEN 'thesis' THEN time_s END) AS cached,
           max(CASE variant WHEN 'unpinned' THEN time_s END) AS unpinned,
           max(CASE variant WHEN 'uncached' THEN time_low_s END) AS uncached_low,
           max(CASE variant WHEN 'thesis' THEN time_low_s END) AS cached_low,
           max(CASE variant WHEN 'thesis' THEN time_high_s END) AS cached_high,
           max(CASE variant WHEN 'unpinned' THEN time_high_s END) AS unpinned_high
    FROM pinning_cache_median WHERE size_factor = 1 GROUP BY trace),
claim(id, trace) AS (VALUES
    ('peshne-c-094', 'scf_rhf_coreh'), ('peshne-c-095', 'tran_rhf_no4v'), ('peshne-c-096', 'rccsd_rhf'),
    ('peshne-c-097', 'rccsdpt_aaa'), ('peshne-c-098', 'rccsdpt_aab'))
SELECT id, printf('uncached / cached %.2f, cached / malloc %.2f, uncached / malloc %.1f',
                  uncached / cached, cached / unpinned, uncached / unpinned) AS measured,
       'uncached > cached > malloc' AS bound,
       CASE WHEN uncached_low > cached_high AND cached_low > unpinned_high THEN 1
            WHEN uncached > cached AND cached > unpinned THEN NULL ELSE 0 END AS ok,
       'synthetic trace with the same number of requests' AS reason
FROM claim JOIN trace_time USING (trace) WHERE uncached + cached + unpinned IS NOT NULL;
