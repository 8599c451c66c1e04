-- Fabrics: one host (shared memory) stands for TMI, the fast one, two hosts of the virtual cluster for TCP. Throughput with the best number of
-- options per request. First one host.
WITH best AS (
    SELECT nodes, variant, progress, 1.0 * max(throughput_values) AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM coarrays_pricing_median GROUP BY nodes, variant, progress),
mpi AS (SELECT max(mid) AS mid, low, high FROM best WHERE variant = 'mpi-mt'),
caf AS (SELECT * FROM best WHERE variant = 'caf-mt')
SELECT 'fanfarillo-c-174' AS id, printf('%.3f', t.mid / mpi.mid) AS measured, 'CAF_t / MPI > 1' AS bound,
       CASE WHEN t.low / mpi.high > 1 THEN 1 WHEN t.high / mpi.low <= 1 THEN 0 END AS ok, 'one host stands for both TMI fabrics' AS reason
FROM caf AS t, mpi WHERE t.progress = 'thread' AND mpi.mid IS NOT NULL
UNION ALL
SELECT 'fanfarillo-c-175', printf('%.3f', t.mid / m.mid), 'CAF_t / CAF > 1', CASE WHEN t.low / m.high > 1 THEN 1 WHEN t.high / m.low <= 1 THEN 0 END,
       'one host stands for both TMI fabrics'
FROM caf AS t, caf AS m WHERE t.progress = 'thread' AND m.progress = 'manual';

-- Two hosts.
WITH best AS (
    SELECT nodes, variant, progress, 1.0 * max(throughput_values) AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM coarrays_pricing_network_median GROUP BY nodes, variant, progress),
mpi AS (SELECT max(mid) AS mid, low, high FROM best WHERE variant = 'mpi-mt'),
ratio AS (
    SELECT variant, progress, best.mid / mpi.mid AS mid, best.low / mpi.high AS low, best.high / mpi.low AS high FROM best, mpi
    WHERE variant IN ('caf-mt', 'caf-mth') AND progress IN ('manual', 'thread') ORDER BY variant, progress)
SELECT 'fanfarillo-c-176' AS id, printf('%.3f', t.mid / m.mid) AS measured, 'CAF_t / CAF < 1' AS bound,
       CASE WHEN t.high / m.low < 1 THEN 1 WHEN t.low / m.high >= 1 THEN 0 END AS ok, 'two hosts stand for both TCP fabrics' AS reason
FROM best AS t, best AS m WHERE t.variant = 'caf-mt' AND t.progress = 'thread' AND m.variant = 'caf-mt' AND m.progress = 'manual'
UNION ALL
SELECT 'fanfarillo-c-179', group_concat(printf('%s %s %.3f', variant, progress, mid), ', '), 'each / MPI > 1',
       CASE WHEN min(low) > 1 THEN 1 WHEN min(high) <= 1 THEN 0 END, 'two hosts stand for both TCP fabrics'
FROM ratio HAVING count(mid) > 0;

-- Both.
WITH run AS (SELECT * FROM coarrays_pricing_median UNION ALL SELECT * FROM coarrays_pricing_network_median),
best AS (
    SELECT nodes, variant, progress, 1.0 * max(throughput_values) AS mid, throughput_values * time_s / time_high_s AS low, throughput_values * time_s / time_low_s AS high
    FROM run WHERE variant = 'mpi-mt' OR (variant = 'caf-mt' AND progress IN ('manual', 'thread')) GROUP BY nodes, variant, iif(variant = 'caf-mt', progress, '')),
spread AS ( -- of the same on the faster and the slower fabric
    SELECT one.variant AS variant, iif(one.variant = 'caf-mt', one.progress, '') AS progress, two.mid / one.mid AS ratio,
           max(one.mid, two.mid) / min(one.mid, two.mid) AS mid, max(one.low / two.high, two.low / one.high) AS low, max(one.high / two.low, two.high / one.low) AS high
    FROM best AS one JOIN best AS two ON one.variant = two.variant AND (one.variant = 'mpi-mt' OR one.progress = two.progress) WHERE one.nodes = 1 AND two.nodes = 2)
SELECT 'fanfarillo-c-177' AS id, group_concat(printf('two hosts / one host %.3f with progress %s', ratio, progress), ', ') AS measured, '> 1 in both progress modes' AS bound,
       'waived' AS ok, 'the TMI fabric of Intel MPI, which was slower than TCP, cannot be had' AS reason
FROM spread WHERE variant = 'caf-mt' HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-178', printf('CAF %.3f, MPI %.3f', c.mid, m.mid), 'one host / two hosts: CAF > MPI', CASE WHEN c.low > m.high THEN 1 WHEN c.high <= m.low THEN 0 END,
       'one host and two hosts stand for the fabrics'
FROM spread AS c, spread AS m WHERE c.variant = 'caf-mt' AND c.progress = 'manual' AND m.variant = 'mpi-mt';
