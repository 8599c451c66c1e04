-- regress.sql: the configurations of the attached data base `here` beside those of `reference`.

CREATE TABLE comparison AS
WITH pairs AS (
    SELECT experiment, variant, gpu, ranks, gpus, parameters,
           h.median_s, h.low_s, h.high_s,
           r.median_s AS reference_s, r.low_s AS reference_low_s, r.high_s AS reference_high_s
    FROM here.configurations h
    FULL JOIN reference.configurations r USING (experiment, variant, gpu, ranks, gpus, parameters)
), bounds AS (
    SELECT p.*, reference_s * (1 + e.tolerance_lower) AS lower_s,
           reference_s * (1 + e.tolerance_upper) AS upper_s
    FROM pairs p JOIN here.experiments e ON e.id = p.experiment
)
SELECT *,
       experiment || ' variant=' || variant || ' gpu=' || gpu || ' ranks=' || ranks || ' gpus=' || gpus ||
       rtrim(' ' || parameters) AS configuration,
       CASE
           WHEN median_s IS NULL THEN 'missing'
           WHEN reference_s IS NULL THEN 'new'
           WHEN median_s > upper_s AND low_s > reference_high_s THEN 'slower'
           WHEN median_s < lower_s AND high_s < reference_low_s THEN 'faster'
           WHEN median_s > upper_s OR median_s < lower_s THEN 'ambiguous'
           ELSE 'same'
       END AS result
FROM bounds ORDER BY experiment, variant, parameters;

CREATE TABLE hardware AS
SELECT f.name,
       (SELECT group_concat(value, ' and ') FROM here.machine m WHERE m.name = f.name) AS here,
       (SELECT group_concat(value, ' and ') FROM reference.machine m WHERE m.name = f.name) AS there
FROM (SELECT 'cpu' AS name UNION ALL SELECT 'device0_name') f;
