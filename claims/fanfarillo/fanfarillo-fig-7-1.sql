-- SUMMA at its largest order with the best width of a panel. With one image nothing is transferred.
WITH run AS (SELECT * FROM coarrays_summa_1_median UNION ALL SELECT * FROM coarrays_summa_2_median UNION ALL SELECT * FROM coarrays_summa_median),
best AS (
    SELECT images, variant, min(time_s) AS mid, time_low_s AS low, time_high_s AS high FROM run WHERE "order" = (SELECT max("order") FROM run)
    GROUP BY images, variant),
ratio AS (
    SELECT a.images AS images, a.variant AS variant, a.mid / pin.mid AS mid, a.low / pin.high AS low, a.high / pin.low AS high
    FROM best AS a JOIN best AS pin USING (images) WHERE pin.variant = 'caf-pin' ORDER BY images),
gpu AS (SELECT count(*) > 0 AS real FROM machine WHERE name = 'device0_kind' AND value = 'cuda'),
pinned AS (SELECT median(mid) AS mid FROM ratio WHERE variant = 'mpi-pinned' AND images > 1)
SELECT 'fanfarillo-c-150' AS id, group_concat(printf('%.3f with %d', mid, images), ', ') AS measured, 'CAF_UM / CAF_PIN >= 0.98 with every number of images' AS bound,
       CASE WHEN NOT real THEN 'waived' WHEN min(low) >= 0.98 THEN 1 WHEN min(high) < 0.98 THEN 0 END AS ok,
       iif(real, '', 'all memory is the host''s on the software GPU') AS reason
FROM ratio, gpu WHERE variant = 'caf-um' HAVING count(*) > 0
UNION ALL
SELECT 'fanfarillo-c-151', printf('median %.3f (%s); page-locked MPI / CAF_PIN %.3f', median(ratio.mid), group_concat(printf('%.3f with %d', ratio.mid, images), ', '), pinned.mid),
       'MPI / CAF_PIN > 1, median over the numbers of images above 1', CASE WHEN median(low) > 1 THEN 1 WHEN median(high) <= 1 THEN 0 END, ''
FROM ratio, pinned WHERE variant = 'mpi' AND images > 1 HAVING count(*) > 0;
