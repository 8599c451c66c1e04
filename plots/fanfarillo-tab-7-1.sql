-- Communication with the boss, per run, in µs: with the nearest (CPU1) and the last (MIC1) image. One host stands for shm:tmi, two hosts with TCP between for shm:tcp
-- A waived experiment has no columns of its own: inside the brackets their names then mean those of `none`, which are empty.
WITH none AS (SELECT NULL AS progress, NULL AS communication_first_s, NULL AS communication_last_s),
run AS (
    SELECT 'shm:tmi' AS fabric, variant, progress, communication_first_s AS near, communication_last_s AS far, time_s FROM coarrays_pricing_median
    UNION ALL
    SELECT 'shm:tcp', variant, (SELECT progress FROM coarrays_pricing_network_median AS i WHERE i.rowid = o.rowid),
           (SELECT communication_first_s FROM coarrays_pricing_network_median AS i WHERE i.rowid = o.rowid),
           (SELECT communication_last_s FROM coarrays_pricing_network_median AS i WHERE i.rowid = o.rowid), time_s
    FROM none, coarrays_pricing_network_median AS o),
best AS (SELECT fabric, variant, near, far, min(time_s) FROM run WHERE variant = 'mpi-mt' OR (variant = 'caf-mt' AND progress = 'manual') GROUP BY fabric, variant)
SELECT t.fabric, CASE t.fabric WHEN 'shm:tmi' THEN 'one host' WHEN 'shm:tcp' THEN 'two hosts, TCP' END AS "here",
       iif(m.near IS NULL, NULL, printf('%.1f', 1e6 * m.near)) AS "MPI near", printf('%.1f', 1e6 * mpi_cpu1_s) AS "MPI CPU1, thesis",
       iif(m.far IS NULL, NULL, printf('%.1f', 1e6 * m.far)) AS "MPI last", printf('%.1f', 1e6 * mpi_mic1_s) AS "MPI MIC1, thesis",
       iif(c.near IS NULL, NULL, printf('%.1f', 1e6 * c.near)) AS "CAF near", printf('%.1f', 1e6 * caf_cpu1_s) AS "CAF CPU1, thesis",
       iif(c.far IS NULL, NULL, printf('%.1f', 1e6 * c.far)) AS "CAF last", printf('%.1f', 1e6 * caf_mic1_s) AS "CAF MIC1, thesis"
FROM fanfarillo_tab_7_1 AS t LEFT JOIN best AS m ON m.fabric = t.fabric AND m.variant = 'mpi-mt' LEFT JOIN best AS c ON c.fabric = t.fabric AND c.variant = 'caf-mt'
ORDER BY t.rowid;
