-- Clustered or banded: banded if no block whose x is not a multiple of 8 (or 16, or 32) reaches 0.6 of the best speed
WITH bands(modulus) AS (VALUES (8), (16), (32)),
run AS (
    SELECT 1 AS node, variant, block_x, min(time_s) AS time_s FROM tuner_sweep_median WHERE time_s > 0 GROUP BY variant, block_x
    UNION ALL SELECT 2, variant, block_x, min(time_s) FROM partner_tuner_sweep_median WHERE time_s > 0 GROUP BY variant, block_x),
off AS (
    SELECT node, variant, modulus, min(time_s) / min(CASE WHEN block_x % modulus THEN time_s END) AS share FROM run, bands GROUP BY node, variant, modulus),
label AS (
    SELECT node, variant, min(share) AS share, coalesce('banded, ' || max(CASE WHEN share < 0.6 THEN modulus END), 'clustered') AS class
    FROM off GROUP BY node, variant)
SELECT p.benchmark, h.class AS "here", printf('%.3f', h.share) AS "off multiples of 8 / best", o.class AS "second machine",
       iif(o.share, printf('%.3f', o.share), NULL) AS "the same there", t.class AS "P100, thesis", v.class AS "V100, thesis"
FROM cui_tab_5_1 AS p LEFT JOIN label AS h ON h.variant = p.benchmark AND h.node = 1 LEFT JOIN label AS o ON o.variant = p.benchmark AND o.node = 2
JOIN cui_tab_5_2 AS t ON t.p100 = p.benchmark JOIN cui_tab_5_2 AS v ON v.v100 = p.benchmark ORDER BY p.rowid;
