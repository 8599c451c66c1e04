-- From Ivy-Bridge (Edison) to Knights-Landing (Cori). Cells such as 2.4-3.2, <1 and ~100 are text:
-- ltrim drops the sign, and a cast to REAL reads the lower end of a range.
-- fanfarillo-c-006 compares measured memory bandwidths and is not judged here.
SELECT id, measured, bound, 'waived' AS ok,
       'quoted data, nothing is measured here; it ' ||
       CASE ok WHEN 1 THEN 'agrees with the claim' WHEN 0 THEN 'does not agree with the claim'
               ELSE 'is too little to tell' END AS reason
FROM (
    WITH knl AS (
    SELECT max(CASE feature WHEN 'num_physical_cores' THEN edison_ivy_bridge END) AS cores_old,
           max(CASE feature WHEN 'num_physical_cores' THEN cori_knights_landing END) AS cores_new,
           max(CASE feature WHEN 'num_virtual_cores' THEN edison_ivy_bridge END) AS threads_old,
           max(CASE feature WHEN 'num_virtual_cores' THEN cori_knights_landing END) AS threads_new,
           max(CASE feature WHEN 'num_ops_per_cycle' THEN edison_ivy_bridge END) AS ops_old,
           max(CASE feature WHEN 'num_ops_per_cycle' THEN cori_knights_landing END) AS ops_new,
           max(CASE feature WHEN 'processor_frequency' THEN CAST(edison_ivy_bridge AS REAL) END) AS ghz_old,
           max(CASE feature WHEN 'processor_frequency'
                            THEN CAST(ltrim(cori_knights_landing, '<~') AS REAL) END) AS ghz_new,
           max(CASE feature WHEN 'memory_per_core' THEN edison_ivy_bridge END) AS memory_old,
           max(CASE feature WHEN 'memory_per_core_fast'
                            THEN CAST(ltrim(cori_knights_landing, '<~') AS REAL) END) AS fast_new,
           max(CASE feature WHEN 'memory_per_core_slow'
                            THEN CAST(ltrim(cori_knights_landing, '<~') AS REAL) END) AS slow_new
    FROM fanfarillo_tab_1_1
    )
    SELECT 'fanfarillo-c-001' AS id, printf('%d -> %d cores', cores_old, cores_new) AS measured,
           'new > old' AS bound, cores_new > cores_old AS ok,
           'transcribed data, not measured here' AS reason
    FROM knl
    UNION ALL
    SELECT 'fanfarillo-c-002',
           printf('%.0f -> %.0f threads per core', 1.0 * threads_old / cores_old, 1.0 * threads_new / cores_new),
           'new > old', 1.0 * threads_new / cores_new > 1.0 * threads_old / cores_old,
           'transcribed data, not measured here'
    FROM knl
    UNION ALL
    SELECT 'fanfarillo-c-003', printf('%d -> %d, ratio %.2f', ops_old, ops_new, 1.0 * ops_new / ops_old),
           'ratio 2', 1.0 * ops_new / ops_old = 2, 'transcribed data, not measured here'
    FROM knl
    UNION ALL
    SELECT 'fanfarillo-c-004', printf('from %.1f up -> below %.1f GHz', ghz_old, ghz_new),
           'new < old', ghz_new < ghz_old, 'transcribed data, not measured here'
    FROM knl
    UNION ALL
    SELECT 'fanfarillo-c-005',
           printf('%.1f GB -> below %.1f fast, below %.1f slow', memory_old, fast_new, slow_new),
           'both < old', fast_new < memory_old AND slow_new < memory_old,
           'transcribed data, not measured here'
    FROM knl
);
