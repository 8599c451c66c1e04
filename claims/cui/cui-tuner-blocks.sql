-- Speeds over thread blocks. The default block is the one that the OpenACC compiler chooses.
WITH standard AS (SELECT * FROM tuner_blocks WHERE block_x = 64 AND block_y = 4),
moved(id, variant, share, low, high) AS (
    SELECT 'cui-c-014', variant, min(share), share_low, share_high FROM standard
    UNION ALL SELECT 'cui-c-218', variant, min(share), share_low, share_high FROM standard WHERE variant = 'ldc')
SELECT id, 1 / share - 1 AS value, 1 / high - 1 AS low, 1 / low - 1 AS high,
       coalesce('gained over 64 x 4, ' || variant, '64 x 4 was not measured') AS words
FROM moved
UNION ALL
SELECT 'cui-c-220', min(share), share_low, share_high,
       iif(count(*), 'of the best speed, 64 x 4', '64 x 4 was not measured')
FROM standard WHERE variant = 'ldc';

-- Of the interval of the fastest block are all that may be it.
SELECT 'cui-c-219' AS id, max(threads) FILTER (WHERE place = 1) AS value, min(threads) AS low, max(threads) AS high,
       'threads in the fastest block' AS words
FROM tuner_blocks WHERE variant = 'ldc' AND share_high >= 1 HAVING count(*) > 0
UNION ALL
SELECT iif(variant = 'ldc', 'cui-c-221', 'cui-c-228'), median(threads), NULL, NULL,
       'threads, fastest 20th of the blocks'
FROM tuner_blocks WHERE variant IN ('ldc', 'gesummv') AND place <= max(1, 0.05 * blocks) GROUP BY variant
UNION ALL
SELECT 'cui-c-222', share, share_low, share_high, printf('of the best speed, %d x %d', block_x, block_y)
FROM tuner_blocks WHERE variant = 'ldc' AND place = blocks
UNION ALL
SELECT 'cui-c-223', spearman(a.share, b.share), NULL, NULL, printf('rank correlation over %d blocks', count(*))
FROM tuner_blocks AS a JOIN tuner_blocks AS b USING (block_x, block_y)
WHERE a.variant = 'ldc' AND b.variant = '2dconv' HAVING spearman(a.share, b.share) IS NOT NULL;

-- The mean speed by a side of the block, and how it changes by one step away from the best.
WITH side AS (
    SELECT variant || ' x' AS name, block_x AS size, avg(share) AS speed FROM tuner_blocks GROUP BY 1, 2
    UNION ALL SELECT variant || ' y', block_y, avg(share) FROM tuner_blocks GROUP BY 1, 2),
claim(id, name) AS (VALUES ('cui-c-224', '2dconv x'), ('cui-c-225', 'epcc y'), ('cui-c-226', 'mvt y')),
step AS (
    SELECT size, speed, lag(speed) OVER (ORDER BY size) AS before, lead(speed) OVER (ORDER BY size) AS after
    FROM side WHERE name = 'syr2k x'),
best AS (SELECT size, max(speed) FROM step HAVING count(*) > 1)
SELECT id, spearman(size, speed) AS value, NULL AS low, NULL AS high,
       printf('rank correlation over %d sizes', count(*)) AS words
FROM claim JOIN side USING (name) GROUP BY id HAVING value IS NOT NULL
UNION ALL
SELECT 'cui-c-227/best', size, NULL, NULL, 'threads in x' FROM best
UNION ALL
SELECT 'cui-c-227/rise', speed / iif(step.size > best.size, before, after), NULL, NULL,
       printf('times the speed of the size before, %d threads in x', step.size)
FROM step, best WHERE step.size <> best.size;

-- Bands: the fastest block with an x of these multiples, and the fastest other one.
WITH claim(id, variant, modulus) AS (
    VALUES ('cui-c-229', '2mm', 16), ('cui-c-230', 'gemm', 8), ('cui-c-231', '2mm', 16), ('cui-c-231', 'gemm', 8)),
side AS (
    SELECT id, variant, modulus, block_x % modulus > 0 AS off, min(time_s) AS mid, low_s, high_s
    FROM claim JOIN tuner_blocks USING (variant) GROUP BY 1, 2, 4)
SELECT c.id, b.mid / o.mid AS value, b.low_s / o.high_s AS low, b.high_s / o.low_s AS high,
       iif(b.mid / o.mid, printf('of the best speed on multiples of %d, %s', c.modulus, c.variant),
           'blocks on and off the multiples were not both measured') AS words
FROM claim AS c LEFT JOIN side AS b ON b.id = c.id AND b.variant = c.variant AND NOT b.off
LEFT JOIN side AS o ON o.id = c.id AND o.variant = c.variant AND o.off;

SELECT 'cui-c-232' AS id, sum(here.class <> t.class) AS value, NULL AS low, NULL AS high,
       printf('of %d kernels have another label', count(*)) AS words
FROM tuner_classes AS here JOIN cui_tab_5_2 AS t ON variant = v100 HAVING count(*) > 0;

-- Two machines without a banded kernel agree, but tell nothing.
SELECT 'cui-c-233' AS id, iif(max(banded), sum(differs), NULL) AS value, NULL AS low, NULL AS high,
       CASE WHEN max(banded) THEN 'kernels have another label there' WHEN count(banded) = 0 THEN words
            ELSE 'no kernel is banded on either machine' END AS words
FROM tuner_no_partner LEFT JOIN (
    SELECT here.class <> there.class AS differs, 'banded' IN (here.class, there.class) AS banded
    FROM tuner_classes AS here JOIN partner_tuner_classes AS there USING (variant)) ON true;

-- One block for all kernels: the kernel that it suits least.
WITH choice AS (
    SELECT *, row_number() OVER (ORDER BY share) AS place, count(*) OVER () AS choices
    FROM tuner_least WHERE block_x = 32 AND block_y IN (2, 4, 8)),
claim(id, places) AS (VALUES ('cui-c-236', 3), ('cui-c-237', 1))
SELECT id, share AS value, share_low AS low, share_high AS high,
       iif(share, printf('of the best speed of %s, 32 x %d', variant, block_y), 'a block was not measured') AS words
FROM claim LEFT JOIN choice ON place <= places AND choices = 3
UNION ALL
SELECT 'cui-c-238', max(share), share_low, share_high,
       printf('of the best speed of %s, %d x %d, the best block', variant, block_x, block_y)
FROM tuner_least WHERE whole AND block_x * block_y <= 512 AND max(block_x, block_y) <= 128 HAVING count(*) > 0
UNION ALL
SELECT 'cui-c-240', max(share), max(share_low), max(share_high),
       printf('of the best speed, best of %d blocks', count(*))
FROM tuner_least WHERE whole HAVING count(*) > 0;

-- The same on a second machine.
WITH choice AS (
    SELECT *, count(*) OVER () AS choices FROM partner_tuner_least WHERE block_x = 32 AND block_y IN (2, 4, 8)),
most AS (
    SELECT variant, max(share) AS share, share_low, share_high FROM partner_tuner_least
    WHERE whole AND block_x * block_y <= 512 AND max(block_x, block_y) <= 128)
SELECT 'cui-c-235' AS id, share AS value, share_low AS low, share_high AS high,
       coalesce('of the best speed there, ' || variant, words) AS words
FROM tuner_no_partner JOIN (SELECT 1 FROM tuner_sweep_median LIMIT 1) LEFT JOIN choice ON choices = 3
UNION ALL
SELECT 'cui-c-239', share, share_low, share_high, coalesce('of the best speed there, ' || variant, words)
FROM tuner_no_partner, most;

-- Blocks that were the best ones of another GPU, here.
WITH moved AS (
    SELECT 1 AS best, benchmark, p100_ideal_thread_x AS x, p100_ideal_thread_y AS y FROM cui_tab_5_3
    UNION ALL SELECT 2, benchmark, v100_ideal_thread_x, v100_ideal_thread_y FROM cui_tab_5_4),
claim(benchmark, p100, v100) AS (
    VALUES ('2dconv', 'cui-c-241', 'cui-c-252'), ('3dconv', 'cui-c-242', 'cui-c-253'),
           ('2mm', 'cui-c-243', 'cui-c-254'), ('3mm', 'cui-c-244', 'cui-c-255'), ('gemm', 'cui-c-245', 'cui-c-256'),
           ('gesummv', 'cui-c-246', 'cui-c-257'), ('mvt', 'cui-c-247', 'cui-c-258'),
           ('syr2k', 'cui-c-248', 'cui-c-259'), ('syrk', 'cui-c-249', 'cui-c-260'),
           ('epcc', 'cui-c-250', 'cui-c-261'), ('ldc', 'cui-c-251', 'cui-c-262'))
SELECT iif(best = 1, p100, v100) AS id, share AS value, NULL AS low, NULL AS high,
       printf(iif(share, 'of the best speed, %d x %d', '%d x %d was not measured'), x, y) AS words
FROM claim JOIN moved USING (benchmark)
LEFT JOIN tuner_blocks ON variant = benchmark AND block_x = x AND block_y = y;

-- Best blocks between this machine and a second one, among the blocks that both measured.
WITH pair AS MATERIALIZED (
    SELECT variant, h.time_s AS here, h.low_s AS here_low, h.high_s AS here_high, t.time_s AS there,
           t.low_s AS there_low, t.high_s AS there_high
    FROM tuner_blocks AS h JOIN partner_tuner_blocks AS t USING (variant, block_x, block_y)),
run AS (
    SELECT 'here' AS at, variant, here AS mid, here_low AS low, here_high AS high, there AS other FROM pair
    UNION ALL SELECT 'there', variant, there, there_low, there_high, here FROM pair),
best AS (SELECT at, variant, min(mid) AS mid, low, high FROM run GROUP BY 1, 2),
come AS (SELECT at, variant, mid, low, high, min(other) FROM run GROUP BY 1, 2),
way AS (
    SELECT at, variant, best.mid / come.mid AS mid, best.low / come.high AS low, best.high / come.low AS high,
           row_number() OVER (ORDER BY best.mid / come.mid) AS place
    FROM best JOIN come USING (at, variant)),
claim(id, places, variants) AS (VALUES ('cui-c-263', 99, '2mm'), ('cui-c-264', 1, '*'), ('cui-c-265', 1, '*'))
SELECT id, mid AS value, low, high, coalesce('of the best speed ' || at || ', ' || variant, words) AS words
FROM claim, tuner_no_partner LEFT JOIN way ON place <= places AND variant GLOB variants;
