package dev.poolkeeper.fake.cloud;

import dev.poolkeeper.contract.BackendPoolsContract;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;

class FakeCloudContractTest implements BackendPoolsContract {

    private final FakeCloud cloud = new FakeCloud(new FakeTime());

    @Override
    public BackendPools pools() {
        return cloud;
    }

    @Override
    public PoolDirectory directory() {
        return cloud;
    }

    @Override
    public void given(PoolKey pool, AddressSet addresses) {
        cloud.putPool(pool, addresses);
    }

    @Override
    public void givenNo(PoolKey pool) {
        cloud.deletePool(pool);
    }
}
