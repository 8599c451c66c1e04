-- Page-locked copies to the GPU against the peak of its link, at the largest size. What the system does not tell of the link the data sheet does.
WITH copy AS (
    SELECT size_bytes, bandwidth_gbs AS mid, bandwidth_gbs * time_s / time_high_s AS low, bandwidth_gbs * time_s / time_low_s AS high
    FROM pinning_copy_median WHERE variant = 'pinned' AND direction = 'h2d' ORDER BY size_bytes DESC LIMIT 1),
told AS (SELECT max(specification) AS text, max(specification + 0.0) AS gbs FROM common_machine WHERE sheet = 'gpu' AND name = 'PCIe link' AND specification + 0.0 > 0),
sheet AS (
    SELECT printf('%.1f GB/s (16 lanes of 32 GT/s)', 16 * 32 * 128.0 / 130 / 8) AS text, 16 * 32 * 128.0 / 130 / 8 AS gbs
    FROM machine WHERE name = 'device0_name' AND (value LIKE 'NVIDIA H100%' OR value LIKE 'NVIDIA H200%')),
link AS (SELECT coalesce(told.gbs, sheet.gbs) AS gbs, coalesce(told.text, sheet.text) AS text, told.gbs IS NOT NULL AS is_told FROM told LEFT JOIN sheet ON 1),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-016' AS id, printf('%.1f GB/s', mid) || iif(gbs > 0, printf(' of %s: %.3f', text, mid / gbs), '') AS measured, '0.6 to 1 (thesis: 6 of 8 GB/s)' AS bound,
       CASE WHEN here OR gbs IS NULL THEN 'waived' WHEN low / gbs >= 0.6 AND high / gbs <= 1 THEN 1 WHEN high / gbs < 0.6 OR low / gbs > 1 THEN 0 END AS ok,
       CASE WHEN here THEN 'the software GPU has no bus' WHEN gbs IS NULL THEN 'the system does not tell what link the GPU has'
            WHEN is_told THEN 'link as the system tells it' ELSE 'link of the data sheet' END AS reason
FROM copy, link, soft;

-- An integrated GPU beside a discrete one.
SELECT 'fanfarillo-c-018' AS id, max(value) AS measured, 'time(discrete) / time(integrated) > 1 at one size' AS bound, 'waived' AS ok,
       'needs an integrated or cache-coherent GPU beside a discrete one; no recorded machine has the two' AS reason
FROM machine WHERE name = 'device0_name' HAVING count(*) > 0;

WITH ratio AS (
    SELECT direction, pageable.time_s / pinned.time_s AS mid, pageable.time_low_s / pinned.time_high_s AS low, pageable.time_high_s / pinned.time_low_s AS high
    FROM pinning_copy_median AS pinned JOIN pinning_copy_median AS pageable USING (direction, block_elements)
    WHERE pinned.variant = 'pinned' AND pageable.variant = 'pageable' AND pinned.size_bytes >= 1048576),
way AS (SELECT direction, median(mid) AS mid, median(low) AS low, median(high) AS high, count(*) AS sizes FROM ratio GROUP BY direction ORDER BY direction DESC)
SELECT 'fanfarillo-c-019' AS id, group_concat(printf('%s %.2f', direction, mid), ', ') || printf(' over %d sizes', max(sizes)) AS measured,
       'median pageable / pinned >= 1.1 both ways, from 1 MiB on' AS bound, CASE WHEN min(low) >= 1.1 THEN 1 WHEN min(high) < 1.1 THEN 0 END AS ok,
       (SELECT iif(count(*) > 0, 'the software GPU stages pageable memory as a driver does', '') FROM machine WHERE name = 'device0_kind' AND value = 'soft') AS reason
FROM way HAVING count(*) = 2;

-- Host memory as the GPU sees it.
WITH soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft'),
seen AS (SELECT variant, size_bytes, min(same_address) AS same FROM pinning_mapped WHERE status = 'pass' AND variant <> 'device' GROUP BY variant, size_bytes),
other AS (SELECT group_concat(text, ', ') AS text FROM (SELECT printf('%s %d of %d', variant, sum(same), count(*)) AS text FROM seen WHERE variant <> 'mapped' GROUP BY variant))
SELECT 'fanfarillo-c-020' AS id, printf('the same at %d of %d sizes', sum(same), count(*)) || coalesce(' (' || other.text || ')', '') AS measured, 'all' AS bound,
       iif(here, 'waived', min(same) = 1) AS ok, iif(here, 'the software GPU has one address space by construction', '') AS reason
FROM seen, other, soft WHERE variant = 'mapped' HAVING count(*) > 0;

WITH run AS (SELECT variant, size_bytes, time_s AS mid, time_low_s AS low, time_high_s AS high FROM pinning_mapped_median),
ratio AS (
    SELECT size_bytes, m.mid / d.mid AS mid, m.low / d.high AS low, m.high / d.low AS high FROM run AS m JOIN run AS d USING (size_bytes)
    WHERE m.variant = 'mapped' AND d.variant = 'device' ORDER BY size_bytes DESC LIMIT 1),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-021' AS id, printf('%.2f at %d bytes', mid, size_bytes) AS measured, 'time on mapped / on device memory > 1' AS bound,
       CASE WHEN here THEN 'waived' WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END AS ok, iif(here, 'the software GPU has no bus', '') AS reason
FROM ratio, soft;

-- Copies to both GPUs of a node at once (scenario 1-2) and to one (2-1), at the largest size.
WITH copy AS (
    SELECT variant, active, time_s AS mid, time_low_s AS low, time_high_s AS high FROM spmv_contention_median
    WHERE bytes = (SELECT max(bytes) FROM spmv_contention_median)),
drop_to AS (
    SELECT variant, one.mid / two.mid AS mid, one.low / two.high AS low, one.high / two.low AS high FROM copy AS one JOIN copy AS two USING (variant)
    WHERE one.active = 1 AND two.active = 2),
gain AS (
    SELECT active, pageable.mid / pinned.mid AS mid, pageable.low / pinned.high AS low, pageable.high / pinned.low AS high
    FROM copy AS pageable JOIN copy AS pinned USING (active) WHERE pageable.variant = 'pageable' AND pinned.variant = 'pinned'),
soft AS (SELECT count(*) > 0 AS here FROM machine WHERE name = 'device0_kind' AND value = 'soft')
SELECT 'fanfarillo-c-017' AS id, printf('%.3f', mid) AS measured, 'pinned bandwidth with two GPUs busy / with one >= 0.9' AS bound,
       CASE WHEN here THEN 'waived' WHEN low >= 0.9 THEN 1 WHEN high < 0.9 THEN 0 END AS ok,
       iif(here, 'the software GPU has no bus', 'whether the GPUs have root ports of their own the system need not tell') AS reason
FROM drop_to, soft WHERE variant = 'pinned'
UNION ALL
SELECT 'fanfarillo-c-075', printf('%.3f', mid), 'two GPUs busy / one < 1 (thesis: 0.878)', CASE WHEN here THEN 'waived' WHEN high < 1 THEN 1 WHEN low >= 1 THEN 0 END,
       iif(here, 'the software GPU has no bus', '')
FROM drop_to, soft WHERE variant = 'pageable'
UNION ALL
SELECT 'fanfarillo-c-076', printf('pinned %.3f, pageable %.3f', pinned.mid, pageable.mid), 'pinned < 1 and < pageable (thesis: 0.656, 0.878)',
       CASE WHEN here THEN 'waived' WHEN pinned.high < min(1, pageable.low) THEN 1 WHEN pinned.low >= min(1, pageable.high) THEN 0 END,
       iif(here, 'the software GPU has no bus', '')
FROM drop_to AS pinned, drop_to AS pageable, soft WHERE pinned.variant = 'pinned' AND pageable.variant = 'pageable'
UNION ALL
SELECT 'fanfarillo-c-077', printf('%.2f', mid), 'pinned / pageable > 1 with two GPUs busy (thesis: 1.19)', CASE WHEN here THEN 'waived' WHEN low > 1 THEN 1 WHEN high <= 1 THEN 0 END,
       iif(here, 'the software GPU has no bus', '')
FROM gain, soft WHERE active = 2
UNION ALL
SELECT 'fanfarillo-c-078', printf('%.2f with one GPU busy, %.2f with two', one.mid, two.mid), '> 1 with one, and more than with two (thesis: 1.59, 1.19)',
       CASE WHEN here THEN 'waived' WHEN one.low > max(1, two.high) THEN 1 WHEN one.high <= max(1, two.low) THEN 0 END, iif(here, 'the software GPU has no bus', '')
FROM gain AS one, gain AS two, soft WHERE one.active = 1 AND two.active = 2;
