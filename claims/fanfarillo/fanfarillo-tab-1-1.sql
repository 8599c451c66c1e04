-- From Ivy-Bridge (Edison) to Knights-Landing (Cori). Cells such as 2.4-3.2 and <1 are text: ltrim drops the sign, and
-- a cast reads the lower end of a range.
WITH cell AS (
    SELECT feature, CAST(edison_ivy_bridge AS REAL) AS old, CAST(ltrim(cori_knights_landing, '<~') AS REAL) AS new
    FROM fanfarillo_tab_1_1),
claim(id, feature, beside, words) AS (VALUES
    ('fanfarillo-c-001', 'num_physical_cores', '', 'times the cores'),
    ('fanfarillo-c-002', 'num_virtual_cores', 'num_physical_cores', 'times the threads of a core'),
    ('fanfarillo-c-003', 'num_ops_per_cycle', '', 'times the operations per cycle'),
    ('fanfarillo-c-004', 'processor_frequency', '', 'times the frequency'),
    ('fanfarillo-c-005/fast', 'memory_per_core_fast', '', 'times the memory of a core'),
    ('fanfarillo-c-005/slow', 'memory_per_core_slow', '', 'times the memory of a core'))
SELECT id, cell.new / old.old / coalesce(part.new / part.old, 1) AS value, NULL AS low, NULL AS high, words
FROM claim JOIN cell USING (feature)
JOIN cell AS old ON old.feature = iif(id LIKE '%/%', 'memory_per_core', claim.feature)
LEFT JOIN cell AS part ON part.feature = beside;
