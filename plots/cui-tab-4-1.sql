-- Flag operations of persistent blocks: rate with 1, 4 and 72 blocks on one flag, latency, and stale reads among hand-offs
WITH roles(role, row) AS (VALUES ('in-write', 1), ('compute-read', 2), ('compute-write', 3), ('out-read', 4)),
tested AS (
    SELECT '/' || role || '/' AS roles, '/' || operation || '/' AS operations, sum(handoffs) AS handoffs, sum(stale_reads) AS stale
    FROM blp_flags WHERE variant = 'handoff' GROUP BY role, operation),
handed AS (
    SELECT m.role, m.operation, sum(handoffs) AS handoffs, sum(stale) AS stale
    FROM (SELECT DISTINCT role, operation FROM blp_flags WHERE variant = 'throughput') AS m
    JOIN tested ON instr(roles, '/' || role || '/') AND (CASE WHEN role LIKE '%-write' THEN operations LIKE '/' || operation || '/%'
                                                              ELSE operations LIKE '%/' || operation || '/' END)
    GROUP BY m.role, m.operation)
SELECT roles.role, m.operation AS function, printf('%.3g', 1e-6 * max(operations_per_s) FILTER (WHERE writers = 1 AND variant = 'throughput')) AS "1 block (10^6/s)",
       printf('%.3g', 1e-6 * max(operations_per_s) FILTER (WHERE writers = 4)) AS "4 blocks (10^6/s)",
       printf('%.3g', 1e-6 * max(operations_per_s) FILTER (WHERE writers = 72)) AS "72 blocks (10^6/s)",
       printf('%.3g', 1e9 * max(latency_s) FILTER (WHERE variant = 'latency')) AS "latency (ns)",
       printf('%d in %d', stale, h.handoffs) AS "stale reads", functions_as_printed AS "functions, thesis"
FROM roles JOIN cui_tab_4_1 AS p ON p.rowid = row LEFT JOIN blp_flags_median AS m USING (role)
LEFT JOIN handed AS h ON h.role = roles.role AND h.operation = m.operation
WHERE variant IN ('throughput', 'latency') GROUP BY row, m.operation ORDER BY row, m.operation;
