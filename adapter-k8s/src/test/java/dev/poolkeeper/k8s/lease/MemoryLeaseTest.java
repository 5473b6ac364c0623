package dev.poolkeeper.k8s.lease;

class MemoryLeaseTest implements LeaseStoreContract {

    private final MemoryLease memory = new MemoryLease();
    private final LeaseStore store = memory.new Link();

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public void delete() {
        memory.delete();
    }
}
