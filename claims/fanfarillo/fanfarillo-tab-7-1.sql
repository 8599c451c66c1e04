-- Communication with the boss in the fastest run: of the nearest image (CPU1) and of the last one (MIC1). One host (shared memory) stands for
-- shm:tmi, two hosts of the virtual cluster for shm:tcp, where the nearest image has shared memory too.
WITH run AS (SELECT * FROM coarrays_pricing WHERE status = 'pass' UNION ALL SELECT * FROM coarrays_pricing_network WHERE status = 'pass'),
kind AS (
    SELECT nodes, iif(variant = 'mpi-mt', 'MPI', 'CAF') AS version, median(time_s) AS time_s, median(communication_first_s) AS near, interval_low(communication_first_s) AS near_low,
           interval_high(communication_first_s) AS near_high, median(communication_last_s) AS far, interval_low(communication_last_s) AS far_low,
           interval_high(communication_last_s) AS far_high
    FROM run WHERE variant = 'mpi-mt' OR (variant = 'caf-mt' AND progress = 'manual') GROUP BY nodes, variant, progress, per_request, learning_phases),
best AS (SELECT *, iif(nodes = 1, 'one host', 'two hosts') AS place, min(time_s) FROM kind GROUP BY nodes, version),
pair AS (
    SELECT c.place AS place, c.nodes AS nodes, c.near / m.near AS near, c.near_low / m.near_high AS near_low, c.near_high / m.near_low AS near_high, c.far / m.far AS far,
           c.far_low / m.far_high AS far_low, c.far_high / m.far_low AS far_high
    FROM best AS c JOIN best AS m USING (nodes) WHERE c.version = 'CAF' AND m.version = 'MPI' ORDER BY nodes),
growth AS (
    SELECT version, two.far / one.far AS mid, two.far_low / one.far_high AS low, two.far_high / one.far_low AS high FROM best AS one JOIN best AS two USING (version)
    WHERE one.nodes = 1 AND two.nodes = 2)
SELECT 'fanfarillo-c-180' AS id, group_concat(printf('%.3g on %s', far, place), ', ') AS measured, 'CAF / MPI > 1 for the last image, on both' AS bound,
       CASE WHEN min(far_low) > 1 THEN 1 WHEN min(far_high) <= 1 THEN 0 END AS ok, 'one host and two hosts stand for the fabrics' AS reason
FROM pair HAVING count(*) = 2
UNION ALL
SELECT 'fanfarillo-c-183', group_concat(printf('%s %.3g on %s', version, far / near, place), ', '), 'last / nearest image > 1 for MPI and CAF, on both',
       CASE WHEN min(far_low / near_high) > 1 THEN 1 WHEN min(far_high / near_low) <= 1 THEN 0 END, 'one host and two hosts stand for the fabrics'
FROM best HAVING count(*) = 4
UNION ALL
SELECT 'fanfarillo-c-184', printf('%.3g', mid), 'CAF on two hosts / on one > 10', CASE WHEN low > 10 THEN 1 WHEN high <= 10 THEN 0 END,
       'the last image, which is on the other host; two hosts stand for a network fabric'
FROM growth WHERE version = 'CAF'
UNION ALL
SELECT 'fanfarillo-c-185', group_concat(printf('%.3g on %s', near, place), ', '), 'CAF / MPI <= 1 for the nearest image, on both',
       CASE WHEN max(near_high) <= 1 THEN 1 WHEN max(near_low) > 1 THEN 0 END, 'shared memory within a host'
FROM pair HAVING count(*) = 2;

-- What is about fabrics of Intel MPI against one another, as printed.
WITH t AS (SELECT * FROM fanfarillo_tab_7_1),
row AS (
    SELECT a.mpi_mic1_s AS mpi_shm_tmi, b.mpi_mic1_s AS mpi_tmi, c.mpi_mic1_s AS mpi_shm_tcp, d.mpi_mic1_s AS mpi_tcp, a.caf_mic1_s AS caf_shm_tmi,
           b.caf_mic1_s AS caf_tmi, c.caf_mic1_s AS caf_shm_tcp, d.caf_mic1_s AS caf_tcp
    FROM t AS a, t AS b, t AS c, t AS d WHERE a.fabric = 'shm:tmi' AND b.fabric = 'tmi' AND c.fabric = 'shm:tcp' AND d.fabric = 'tcp'),
claim AS (
    SELECT 'fanfarillo-c-181' AS id, printf('%.1f, %.1f', caf_shm_tmi / caf_shm_tcp, caf_tmi / caf_tcp) AS measured, 'TMI / TCP > 10 for CAF' AS bound,
           caf_shm_tmi > 10 * caf_shm_tcp AND caf_tmi > 10 * caf_tcp AS agrees FROM row
    UNION ALL
    SELECT 'fanfarillo-c-182', printf('%.1f, %.1f', mpi_shm_tcp / mpi_shm_tmi, mpi_tcp / mpi_tmi), 'TCP / TMI > 1 for MPI', mpi_shm_tcp > mpi_shm_tmi AND mpi_tcp > mpi_tmi FROM row
    UNION ALL
    SELECT 'fanfarillo-c-186', printf('%.2f, %.2f', caf_tmi / caf_shm_tmi, caf_tcp / caf_shm_tcp), 'without / with shared memory > 1', caf_tmi > caf_shm_tmi AND caf_tcp > caf_shm_tcp
    FROM row)
SELECT id, measured || ' as printed' AS measured, bound, 'waived' AS ok,
       'the fabrics of Intel MPI cannot be had; the printed numbers ' || iif(agrees, 'agree', 'do not agree') || ' with the claim' AS reason
FROM claim;
