/* The operations of tensor.h, made of a device's primitives. */
#include "tensor_device.h"

static bool overlap(const double *a, size_t a_elements, const double *b, size_t b_elements)
{
    uintptr_t a_begin = (uintptr_t)a, b_begin = (uintptr_t)b;
    return a_begin < b_begin + b_elements * sizeof *b && b_begin < a_begin + a_elements * sizeof *a;
}

static bool tensors_overlap(const struct tensor *a, const struct tensor *b)
{
    return overlap(a->data, tensor_elements(a), b->data, tensor_elements(b));
}

static double kept(enum tensor_mode mode)
{
    return mode == TENSOR_SET ? 0.0 : 1.0;
}

static double with_sign(enum tensor_mode mode, double factor)
{
    return mode == TENSOR_SUBTRACT ? -factor : factor;
}

/* Room for `elements` in one of the workspaces, which grow as needed. */
static cudaError_t reserve(struct tensor_device *device, enum tensor_workspace which,
                           size_t elements)
{
    if (device->workspace_elements[which] >= elements)
        return cudaSuccess;
    cudaError_t error = device->functions->wait(device);
    if (error)
        return error;
    device->functions->release(device->workspace[which]);
    device->workspace_elements[which] = 0;
    error = device->functions->allocate(&device->workspace[which], elements);
    if (!error)
        device->workspace_elements[which] = elements;
    return error;
}

/* *moved = the tensor in a workspace, in the given order of labels. */
static cudaError_t move_to_workspace(struct tensor_device *device, enum tensor_workspace which,
                                     const struct tensor *order, const struct tensor *tensor,
                                     struct tensor *moved)
{
    cudaError_t error = reserve(device, which, tensor_elements(tensor));
    if (error)
        return error;
    *moved = *order;
    moved->data = device->workspace[which];
    struct tensor_permutation plan;
    error = tensor_plan_permutation(&plan, moved, tensor);
    return error ? error
                 : device->functions->permute(device, &plan, moved->data, 0.0, 1.0, tensor->data);
}

void tensor_close(struct tensor_device *device)
{
    if (!device)
        return;
    device->functions->wait(device);
    for (int i = 0; i < WORKSPACES; i++)
        device->functions->release(device->workspace[i]);
    device->functions->close(device);
}

cudaStream_t tensor_stream(const struct tensor_device *device)
{
    return device->stream;
}

cudaError_t tensor_fill(struct tensor_device *device, const struct tensor *target,
                        enum tensor_mode mode, double value)
{
    cudaError_t error = tensor_check(target);
    return error ? error
                 : device->functions->fill(device, target->data, tensor_elements(target),
                                           kept(mode), with_sign(mode, value));
}

cudaError_t tensor_scale(struct tensor_device *device, const struct tensor *target, double alpha)
{
    return tensor_copy(device, target, TENSOR_SET, alpha, target);
}

cudaError_t tensor_copy(struct tensor_device *device, const struct tensor *target,
                        enum tensor_mode mode, double alpha, const struct tensor *a)
{
    struct tensor_permutation plan;
    struct tensor moved;
    cudaError_t error = tensor_plan_permutation(&plan, target, a);
    if (!error && tensors_overlap(target, a) && !(plan.linear && target->data == a->data)) {
        error = move_to_workspace(device, WORKSPACE_FIRST, target, a, &moved);
        a = &moved;
        if (!error)
            error = tensor_plan_permutation(&plan, target, a);
    }
    return error ? error
                 : device->functions->permute(device, &plan, target->data, kept(mode),
                                              with_sign(mode, alpha), a->data);
}

cudaError_t tensor_sum(struct tensor_device *device, const struct tensor *target,
                       enum tensor_mode mode, double alpha, const struct tensor *a, double beta,
                       const struct tensor *b)
{
    struct tensor_permutation plan;
    struct tensor moved;
    cudaError_t error = tensor_plan_permutation(&plan, target, a);
    if (!error)
        error = tensor_plan_permutation(&plan, target, b);
    if (!error && tensors_overlap(target, b)) { /* the first step would change it */
        error = move_to_workspace(device, WORKSPACE_SECOND, target, b, &moved);
        b = &moved;
    }
    if (!error)
        error = tensor_copy(device, target, mode, alpha, a);
    return error ? error : tensor_copy(device, target, TENSOR_ADD, with_sign(mode, beta), b);
}

/* Enqueues the product; a product of vectors is a dot product, which a matrix product does badly.
 */
static cudaError_t multiply(struct tensor_device *device, const struct tensor_product *plan,
                            double *target, double keep, double alpha, const double *first,
                            const double *second)
{
    if (plan->m == 1 && plan->n == 1)
        return device->functions->dot(device, (size_t)plan->k, target, keep, alpha, first, second);
    return device->functions->multiply(device, plan, target, keep, alpha, first, second);
}

/* The operand's data as the product wants them: where they are, or permuted in a workspace. */
static cudaError_t prepare(struct tensor_device *device, enum tensor_workspace which,
                           const struct tensor_matrix *matrix, const struct tensor *operand,
                           struct tensor *prepared)
{
    *prepared = *operand;
    return matrix->permuted ? move_to_workspace(device, which, &matrix->order, operand, prepared)
                            : cudaSuccess;
}

cudaError_t tensor_contract(struct tensor_device *device, const struct tensor *target,
                            enum tensor_mode mode, double alpha, const struct tensor *a,
                            const struct tensor *b)
{
    struct tensor_product plan;
    struct tensor first, second, result;
    cudaError_t error = tensor_plan_product(&plan, target, a, b);
    if (!error)
        error = prepare(device, WORKSPACE_FIRST, &plan.first, plan.swapped ? b : a, &first);
    if (!error)
        error = prepare(device, WORKSPACE_SECOND, &plan.second, plan.swapped ? a : b, &second);
    if (error)
        return error;
    if (!plan.target.permuted && !tensors_overlap(target, &first) &&
        !tensors_overlap(target, &second))
        return multiply(device, &plan, target->data, kept(mode), with_sign(mode, alpha), first.data,
                        second.data);
    error = reserve(device, WORKSPACE_TARGET, tensor_elements(target));
    if (error)
        return error;
    result = plan.target.order;
    result.data = device->workspace[WORKSPACE_TARGET];
    error = multiply(device, &plan, result.data, 0.0, 1.0, first.data, second.data);
    return error ? error : tensor_copy(device, target, mode, alpha, &result);
}

cudaError_t tensor_dot(struct tensor_device *device, const struct tensor *a, const struct tensor *b,
                       double *result)
{
    struct tensor_permutation plan;
    struct tensor moved;
    cudaError_t error = tensor_plan_permutation(&plan, a, b);
    if (!error && !plan.linear) {
        error = move_to_workspace(device, WORKSPACE_SECOND, a, b, &moved);
        b = &moved;
    }
    if (!error)
        error =
            device->functions->dot(device, plan.elements, device->word, 0.0, 1.0, a->data, b->data);
    if (!error)
        error = device->functions->wait(device);
    if (!error)
        *result = *device->word;
    return error;
}
