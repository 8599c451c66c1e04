-- The stencil with ring buffers, by its trace: what was on the device when a kernel ran, and what went back.
WITH trace AS (SELECT * FROM pipeline_timeline WHERE variant = 'framework' AND benchmark = 'stencil'),
kernels AS (SELECT count(*) AS count, sum(resident_ok = 0) AS early, max(end_slice - first_slice) AS iterations FROM trace WHERE operation = 'kernel'),
results AS (
    SELECT count(*) AS count, sum(d.first_slice <> k.first_slice OR d.end_slice <> k.end_slice OR d.resident_ok = 0) AS wrong
    FROM trace AS d JOIN trace AS k USING (round, chunk) WHERE d.operation = 'from_device' AND k.operation = 'kernel')
SELECT 'cui-c-311' AS id,
       printf('%d kernels of %d iteration%s: %d without their planes; %d copies back, %d not of their own planes', kernels.count, iterations,
              iif(iterations = 1, '', 's'), early, results.count, wrong) AS measured,
       'all planes there, only the own plane copied back' AS bound,
       early = 0 AND wrong = 0 AND results.count = kernels.count AS ok, '' AS reason
FROM kernels, results WHERE kernels.count > 0;
