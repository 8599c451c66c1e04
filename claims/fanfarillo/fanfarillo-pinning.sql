-- Page-locked copies to the GPU against the peak of its link, at the largest size. What the system does not tell of the
-- link the data sheet does: 16 lanes of 32 GT/s.
WITH copy AS (
    SELECT bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low,
           bandwidth_gbs * time_s / time_low_s AS high
    FROM pinning_copy_median WHERE variant = 'pinned' AND direction = 'h2d' ORDER BY size_bytes DESC LIMIT 1),
link AS (
    SELECT coalesce(
        (SELECT max(specification + 0.0) FROM common_machine
         WHERE sheet = 'gpu' AND name = 'PCIe link' AND specification + 0.0 > 0),
        (SELECT 16 * 32 * 128.0 / 130 / 8 FROM machine
         WHERE name = 'device0_name' AND (value LIKE 'NVIDIA H100%' OR value LIKE 'NVIDIA H200%'))) AS gbs)
SELECT 'fanfarillo-c-016' AS id, mid / gbs AS value, low / gbs AS low, high / gbs AS high,
       iif(gbs > 0, printf('of the %.1f GB/s of the link', gbs),
           'the system does not tell what link the GPU has') AS words
FROM copy, link;

SELECT 'fanfarillo-c-019/' || direction AS id, median(pageable.time_s / pinned.time_s) AS value,
       median(pageable.time_low_s / pinned.time_high_s) AS low,
       median(pageable.time_high_s / pinned.time_low_s) AS high,
       printf('times as long from pageable memory, median of %d sizes from 1 MiB on', count(*)) AS words
FROM pinning_copy_median AS pinned JOIN pinning_copy_median AS pageable USING (direction, block_elements)
WHERE pinned.variant = 'pinned' AND pageable.variant = 'pageable' AND pinned.size_bytes >= 1048576 GROUP BY direction;

-- Host memory as the GPU sees it.
SELECT 'fanfarillo-c-020' AS id, count(*) - sum(same) AS value, NULL AS low, NULL AS high,
       printf('of %d sizes with another pointer on the device', count(*)) AS words
FROM (SELECT min(same_address) AS same FROM pinning_mapped WHERE status = 'pass' AND variant = 'mapped'
      GROUP BY size_bytes)
HAVING count(*) > 0;

SELECT 'fanfarillo-c-021' AS id, m.time_s / d.time_s AS value, m.time_low_s / d.time_high_s AS low,
       m.time_high_s / d.time_low_s AS high, printf('times the kernel on device memory, %d bytes', size_bytes) AS words
FROM pinning_mapped_median AS m JOIN pinning_mapped_median AS d USING (size_bytes)
WHERE m.variant = 'mapped' AND d.variant = 'device' ORDER BY size_bytes DESC LIMIT 1;

-- Copies to both GPUs of a node at once (scenario 1-2) and to one (2-1), at the largest size. Whether the GPUs have
-- root ports of their own the system need not tell.
WITH copy AS (
    SELECT variant, active, time_s AS mid, time_low_s AS low, time_high_s AS high FROM spmv_contention_median
    WHERE bytes = (SELECT max(bytes) FROM spmv_contention_median)),
ratio AS (
    SELECT a.variant || a.active || ' / ' || b.variant || b.active AS name, b.mid / a.mid AS mid, b.low / a.high AS low,
           b.high / a.low AS high
    FROM copy AS a JOIN copy AS b),
pair AS (
    SELECT a.name || ' : ' || b.name AS name, a.mid / b.mid AS mid, a.low / b.high AS low, a.high / b.low AS high
    FROM ratio AS a JOIN ratio AS b),
claim(id, name, words) AS (VALUES
    ('fanfarillo-c-017', 'pinned2 / pinned1', 'of the bandwidth with one GPU busy, page-locked'),
    ('fanfarillo-c-075', 'pageable2 / pageable1', 'of the bandwidth with one GPU busy, pageable'),
    ('fanfarillo-c-076/pinned', 'pinned2 / pinned1', 'of the bandwidth with one GPU busy, page-locked'),
    ('fanfarillo-c-076/against-pageable', 'pinned2 / pinned1 : pageable2 / pageable1', 'times that share of pageable'),
    ('fanfarillo-c-077', 'pinned2 / pageable2', 'times the bandwidth of pageable, two GPUs busy'),
    ('fanfarillo-c-078/one', 'pinned1 / pageable1', 'times the bandwidth of pageable, one GPU busy'),
    ('fanfarillo-c-078/against-two', 'pinned1 / pageable1 : pinned2 / pageable2', 'times that with two'))
SELECT id, mid AS value, low, high, words
FROM claim JOIN (SELECT * FROM ratio UNION ALL SELECT * FROM pair) USING (name);
