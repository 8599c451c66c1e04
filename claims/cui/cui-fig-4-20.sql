-- Device memory when the data is larger than what may be used: rings and flags, and of managed memory the most in use during a run,
-- less CUDA's context (what sync uses beyond its arrays). As in the thesis the rings have about 14 % of the data's size for the 2D
-- convolution, and 25 % for ATAX.
WITH context AS (SELECT coalesce(min(used_bytes - device_bytes), 0) AS bytes FROM blp_oversubscribed_median WHERE variant = 'sync'),
memory AS (
    SELECT benchmark, 1e-6 * max(iif(variant = 'um-prefetch', used_bytes - bytes, NULL)) AS um,
           1e-6 * max(iif(variant = 'blp-buffer', device_bytes, NULL)) AS buffer
    FROM blp_oversubscribed_median, context
    WHERE variant = 'um-prefetch' OR (variant = 'blp-buffer' AND abs(1.0 * budget_bytes / footprint_bytes - iif(benchmark = 'atax', 0.25, 0.14)) < 0.05)
    GROUP BY benchmark),
bounds(id, benchmark, least, bound) AS (
    VALUES ('cui-c-202', 'conv2d', 0.6, '>= 0.6 (thesis: 0.86, 0.80..0.90)'), ('cui-c-203', 'atax', 0.5, '>= 0.5 (thesis: 0.75, 0.68..0.82)'))
SELECT id, printf('%.2f saved (%.3g of %.3g MB)', 1 - buffer / um, buffer, um) AS measured, bound, 1 - buffer / um >= least AS ok, '' AS reason
FROM bounds JOIN memory USING (benchmark) WHERE um > 0;

-- Of sets larger than the memory: what sync and async allocate per byte of the arrays where they fit (their refusal alone follows from the
-- limit that the program is given, 0.8 of the arrays), and what blp-buffer allocated and um-prefetch used when they ran such sets. Managed
-- memory is limited on the software GPU only: a real device is not filled up.
WITH large AS (
    SELECT variant, benchmark, size, min(footprint_bytes) AS footprint, max(device_bytes) AS device, max(used_bytes) AS used, sum(outcome <> 'ok') AS refused, sum(errors) AS wrong,
           max(budget_bytes) AS budget
    FROM blp_oversubscribed WHERE variant IN ('blp-buffer', 'um-prefetch') GROUP BY variant, benchmark, size),
memory AS (SELECT benchmark, size, min(budget_bytes) AS bytes FROM blp_oversubscribed WHERE variant IN ('sync', 'async') AND budget_bytes > 0 GROUP BY benchmark, size),
whole AS (
    SELECT 'conv2d' AS benchmark, variant, min(1.0 * device_bytes / footprint_bytes) AS share FROM blp_conv2d WHERE variant IN ('sync', 'async') AND outcome = 'ok' GROUP BY variant
    UNION ALL
    SELECT 'atax', variant, min(1.0 * device_bytes / footprint_bytes) FROM blp_atax WHERE variant IN ('sync', 'async') AND outcome = 'ok' GROUP BY variant),
told AS (
    SELECT l.variant, l.refused, l.wrong, 1.0 * iif(l.variant = 'blp-buffer', l.device, iif(l.budget, l.used, NULL)) / m.bytes AS share, m.bytes / l.footprint AS memory
    FROM large AS l JOIN memory AS m USING (benchmark, size)),
ring AS (SELECT max(share) AS share, sum(refused) AS refused, sum(wrong) AS wrong, max(memory) AS memory FROM told WHERE variant = 'blp-buffer'),
managed AS (SELECT max(share) AS share, count(*) = count(share) AS limited, sum(refused) AS refused, sum(wrong) AS wrong FROM told WHERE variant = 'um-prefetch'),
needs AS (SELECT min(share) AS share, count(*) AS n FROM whole)
SELECT 'cui-c-204' AS id,
       printf('sync and async allocate %.2f times the memory, blp-buffer at most %.2f (%d refused, %d wrong), um-prefetch %s (%d refused, %d wrong)', needs.share / ring.memory,
              ring.share, ring.refused, ring.wrong, iif(managed.limited, printf('%.2f', managed.share), 'as much as it likes'), managed.refused, managed.wrong) AS measured,
       'sync and async more than the memory, the others at most as much (um-prefetch: within 1 %, whole pages), with right results' AS bound,
       needs.share > ring.memory AND ring.share <= 1 AND ring.refused = 0 AND ring.wrong = 0 AND coalesce(managed.share, 0) <= 1.01 AND managed.refused = 0
           AND managed.wrong = 0 AS ok,
       'the memory is what the program is given, 0.8 of the arrays' || iif(managed.limited, '', '; managed memory was not limited') AS reason
FROM needs, ring, managed WHERE needs.n = 4 AND ring.share > 0 AND managed.refused IS NOT NULL;
