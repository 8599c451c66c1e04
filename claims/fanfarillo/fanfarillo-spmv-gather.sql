-- Gather and scatter kernels by the order of their indices: the largest ratio over sizes.
SELECT 'fanfarillo-c-029' AS id, max(r.time_s / s.time_s) AS value, r.time_low_s / s.time_high_s AS low,
       r.time_high_s / s.time_low_s AS high,
       printf('times as long from random places as from sorted ones, %d elements', elements) AS words
FROM spmv_gather_median AS r JOIN spmv_gather_median AS s USING (variant, elements, range)
WHERE variant = 'gather' AND r."order" = 'random' AND s."order" = 'sorted' HAVING count(*) > 0;

-- Both kernels with the indices of a halo against a copy of as many numbers.
WITH run AS (
    SELECT variant, "order" AS sorting, elements, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low,
           bandwidth_gbs * time_s / time_low_s AS high
    FROM spmv_gather_median)
SELECT 'fanfarillo-c-030/' || k.variant AS id, median(k.mid / c.mid) AS value, median(k.low / c.high) AS low,
       median(k.high / c.low) AS high, printf('of a copy''s bandwidth, median of %d sizes', count(*)) AS words
FROM run AS k JOIN run AS c USING (elements) WHERE k.sorting = 'halo' AND c.variant = 'copy'
  AND k.variant IN ('gather', 'scatter') GROUP BY k.variant;
