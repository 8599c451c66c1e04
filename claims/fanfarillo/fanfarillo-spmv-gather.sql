-- Gather and scatter kernels by the order of their indices, over sizes.
WITH run AS (SELECT variant, "order" AS sorting, elements, range, time_s AS mid, time_low_s AS low, time_high_s AS high FROM spmv_gather_median),
ratio AS (
    SELECT r.elements, r.mid / s.mid AS mid, r.low / s.high AS low, r.high / s.low AS high
    FROM run AS r JOIN run AS s USING (elements, range) WHERE r.variant = 'gather' AND s.variant = 'gather' AND r.sorting = 'random' AND s.sorting = 'sorted'),
most AS (SELECT elements, max(mid) AS mid, low, high FROM ratio),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-029' AS id, printf('random / sorted at most %.2f, with %d elements', mid, elements) AS measured, 'above 1, <= 12 (thesis: up to 10)' AS bound,
       CASE WHEN low > 1 AND high <= 12 THEN 1 WHEN high <= 1 OR low > 12 THEN 0 END AS ok, iif(here, 'the caches are those of this CPU', '') AS reason
FROM most, soft WHERE mid > 0;

-- Both kernels with the indices of a halo against a copy of as many numbers.
WITH run AS (
    SELECT variant, "order" AS sorting, elements, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM spmv_gather_median),
ratio AS (
    SELECT k.variant, k.mid / c.mid AS mid, k.low / c.high AS low, k.high / c.low AS high
    FROM run AS k JOIN run AS c USING (elements) WHERE k.sorting = 'halo' AND c.variant = 'copy'),
kernel AS (SELECT variant, median(mid) AS mid, median(low) AS low, median(high) AS high FROM ratio GROUP BY variant)
SELECT 'fanfarillo-c-030' AS id, group_concat(printf('%s %.2f', variant, mid), ', ') || ' of a copy''s bandwidth' AS measured, '< 1 each' AS bound,
       CASE WHEN max(high) < 1 THEN 1 WHEN max(low) >= 1 THEN 0 END AS ok, '' AS reason
FROM kernel HAVING count(*) = 2;
